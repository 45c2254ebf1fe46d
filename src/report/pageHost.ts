/** The host's side of the protocol: validates what the page says, and answers every request exactly once. */
import { isUserError, toUserError, UserError } from '../contracts/userError';
import {
  pageMessageSchema,
  requests,
  type HostMessage,
  type RequestMethod,
  type RequestParams,
  type RequestResult,
} from '../contracts/webviewProtocol';

export type PageHandlers = {
  [M in RequestMethod]: (params: RequestParams<M>) => Promise<RequestResult<M>> | RequestResult<M>;
};

/**
 * Answers one message from the page. Never rejects: what a handler throws becomes a `failure`.
 * @returns null for what is no request at all, which is not answered.
 */
export async function answerPage(message: unknown, handlers: PageHandlers): Promise<HostMessage | null> {
  const request = pageMessageSchema.safeParse(message);
  if (!request.success) return null;
  const { id, method } = request.data;
  const params = requests[method][0].safeParse(request.data.params);
  if (!params.success) {
    return failure(
      id,
      new UserError(
        'internal',
        `The report page sent a request "${method}" that this version does not understand.`,
        'Close the report and open it again.',
      ),
    );
  }
  try {
    // The table ties params and result to the method; TypeScript cannot follow that through a lookup.
    const handler = handlers[method] as (params: unknown) => unknown;
    return { type: 'reply', id, result: await handler(params.data) };
  } catch (error) {
    return failure(id, isUserError(error) ? error : toUserError(error));
  }
}

function failure(id: number, error: UserError): HostMessage {
  return { type: 'failure', id, error: { code: error.code, message: error.message, hint: error.hint } };
}
