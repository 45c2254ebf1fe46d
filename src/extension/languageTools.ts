/** The tools of compose/agentTools.ts for agents in the editor. VS Code asks the person before each, with what it costs. */
import * as vscode from 'vscode';
import {
  AGENT_TOOLS,
  createAgentTools,
  type AgentDeps,
  type AgentTool,
  type AgentToolName,
} from '../compose/agentTools';
import { toUserError } from '../contracts/userError';
import { plainText } from './plainText';
import { signalOf } from './withSignal';

/** By name; extension.ts registers them. */
export function createLanguageTools(deps: AgentDeps): Record<string, vscode.LanguageModelTool<object>> {
  const tools = createAgentTools(deps);
  const names = Object.keys(AGENT_TOOLS) as AgentToolName[];
  return Object.fromEntries(
    names.map((name) => [AGENT_TOOLS[name].name, languageTool(AGENT_TOOLS[name].title, tools[name])]),
  );
}

const languageTool = (title: string, tool: AgentTool): vscode.LanguageModelTool<object> => ({
  async prepareInvocation({ input }) {
    try {
      const plan = await tool.plan(input);
      return {
        invocationMessage: plainText(`Evenkeel: ${plan.text}`),
        confirmationMessages: {
          title: plainText(vscode.l10n.t('{0} with {1}?', title, plan.modelId)),
          message: plainText(
            plan.free
              ? plan.text
              : `${plan.text}. ${vscode.l10n.t('The prompt is sent to a server, and this may cost money.')}`,
          ),
        },
      };
    } catch (error) {
      // What is wrong is told by the invocation itself, which asks nothing then.
      return { invocationMessage: plainText(toUserError(error).message) };
    }
  },
  async invoke({ input }, token) {
    try {
      const text = await tool.run(input, { signal: signalOf(token) });
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } catch (error) {
      const { message, hint } = toUserError(error);
      throw new Error(`${message} ${hint}`, { cause: error });
    }
  },
});
