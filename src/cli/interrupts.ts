import { UserError } from '../contracts/userError';

/** Aborts its signal when the person presses Ctrl-C, or the process is asked to end. */
export function watchInterrupts(onInterrupt: (times: number) => void) {
  const controller = new AbortController();
  let times = 0;
  const listener = () => {
    times += 1;
    onInterrupt(times);
    controller.abort(
      new UserError(
        'cancelled',
        'Stopped.',
        'Run the same again: it goes on from the answers that are kept.',
      ),
    );
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return {
    signal: controller.signal,
    stop: () => {
      process.off('SIGINT', listener);
      process.off('SIGTERM', listener);
    },
  };
}
