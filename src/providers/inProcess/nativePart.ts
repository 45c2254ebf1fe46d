/** Loads node-llama-cpp and the weights; says why when it cannot. Child process only. */
import type * as nodeLlamaCpp from 'node-llama-cpp';
import type { Llama, LlamaModel } from 'node-llama-cpp';
import { UserError } from '../../contracts/userError';

export type NativeModule = typeof nodeLlamaCpp;

/** Module errors go on with a list of paths, which help nobody. */
const firstLineOf = (error: unknown) =>
  messageOf(error)
    .split('\n')[0]!
    .replace(/ imported from .*$/, '');
const messageOf = (error: unknown) => (error instanceof Error ? error.message || error.name : String(error));

/**
 * Imports the library and its prebuilt binary for this platform. Nothing is compiled or downloaded.
 * @throws UserError nativePartMissing. The library prints the true cause to stderr only, so the parent,
 * which reads the child's stderr, adds it to the message.
 */
export async function loadNativePart(): Promise<{ library: NativeModule; llama: Llama; runtime: string }> {
  try {
    const library = await import('node-llama-cpp');
    const llama = await library.getLlama({
      // The one build for Apple silicon has Metal; no layer is put on the GPU, see loadWeights.
      gpu: process.platform === 'darwin' && process.arch === 'arm64' ? 'metal' : false,
      build: 'never',
      skipDownload: true,
      progressLogs: 'stderr',
      logLevel: library.LlamaLogLevel.error,
      maxThreads: 0,
    });
    return { library, llama, runtime: `node-llama-cpp ${await library.getModuleVersion()}` };
  } catch (error) {
    throw new UserError(
      'nativePartMissing',
      `The in-process model cannot run here: the native part of node-llama-cpp for ${process.platform}-${process.arch} did not load (${firstLineOf(error)}).`,
      'Take the extension made for this platform, or install the command line again with its optional packages (Linux needs glibc 2.34 or newer). Ollama and OpenAI-compatible models work without it.',
      { cause: error },
    );
  }
}

/** @throws UserError weightsDamaged when the file is no complete GGUF model, fileNotFound when there is none. */
export async function loadWeights(llama: Llama, modelPath: string): Promise<LlamaModel> {
  try {
    return await llama.loadModel({ modelPath, gpuLayers: 0 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new UserError(
        'fileNotFound',
        `There are no model weights at ${modelPath}.`,
        'Check the path, or let Evenkeel fetch one of its own in-process models.',
        { cause: error },
      );
    }
    throw new UserError(
      'weightsDamaged',
      `The model weights at ${modelPath} cannot be read (${messageOf(error)}).`,
      'Delete the file and fetch it again.',
      { cause: error },
    );
  }
}
