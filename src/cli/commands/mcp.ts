import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { AGENT_TOOLS, createAgentTools, type AgentToolName } from '../../compose/agentTools';
import { toUserError } from '../../contracts/userError';
import { DEFAULT_IN_PROCESS_MODEL } from '../../providers/weights/catalogue';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import type { ServerFlags } from '../serverFlags';

export interface McpFlags extends ServerFlags {
  model?: string;
  allowPaid?: boolean;
}

/** `evenkeel mcp`: the tools for agents over standard input and output, until the client goes away. */
export async function mcp(context: CliContext, flags: McpFlags): Promise<number> {
  const evenkeel = openEvenkeel(context, flags);
  const tools = createAgentTools({
    evenkeel: () => Promise.resolve(evenkeel),
    defaults: () => ({
      modelId: flags.model ?? DEFAULT_IN_PROCESS_MODEL,
      samples: 20,
      answerTokens: 32,
      limit: 10,
      seed: 1,
    }),
    mayCost: flags.allowPaid === true,
  });
  const server = new McpServer({ name: 'evenkeel', version: context.version });
  for (const [key, tool] of Object.entries(AGENT_TOOLS)) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input.shape,
        annotations: { readOnlyHint: true, openWorldHint: true },
      },
      async (input: unknown, extra: RequestHandlerExtra<ServerRequest, ServerNotification>) => {
        const token = extra._meta?.progressToken;
        try {
          const text = await tools[key as AgentToolName].run(input, {
            signal: AbortSignal.any([extra.signal, context.signal]),
            onProgress(done, total) {
              if (token === undefined) return;
              // A client that went away is seen by `gone`.
              extra
                .sendNotification({
                  method: 'notifications/progress',
                  params: { progressToken: token, progress: done, total },
                })
                .catch(() => undefined);
            },
          });
          return { content: [{ type: 'text' as const, text }] };
        } catch (error) {
          const { message, hint } = toUserError(error);
          return { isError: true, content: [{ type: 'text' as const, text: `${message} ${hint}` }] };
        }
      },
    );
  }
  const transport = new StdioServerTransport();
  const gone = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    // The SDK does not end with its input.
    process.stdin.once('end', resolve);
    context.signal.addEventListener('abort', () => resolve());
  });
  try {
    await server.connect(transport);
    await gone;
    return EXIT.policyMet;
  } finally {
    await server.close();
    await evenkeel.close();
  }
}
