import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ort from 'onnxruntime-web';
import type { RunBatch } from './embedBatches';
import type { EmbedWorkerData } from './embedProtocol';
import { createTextEncoder, type EncodedText } from './encodeText';
import { readPinnedFile, readShippedFile, SENTENCE_ENCODER } from './encoderFiles';

export interface WasmEncoder {
  encode: (text: string) => EncodedText;
  runBatch: RunBatch;
}

/**
 * Loads the sentence encoder into ONNX Runtime's WASM build, from local files only. 1–3 s, about 650 MB at the peak.
 * Once per thread: the runtime's settings are global to it. `runBatch` blocks the thread while it computes.
 * @throws UserError weightsUnavailable or weightsDamaged.
 */
export async function loadWasmEncoder({ modelDir, ortDir, threads }: EmbedWorkerData): Promise<WasmEncoder> {
  const url = (file: string) => pathToFileURL(path.join(ortDir, file)).href;
  const wasm = await readShippedFile(ortDir, 'ort-wasm-simd-threaded.wasm');
  Object.assign(ort.env.wasm, {
    numThreads: threads,
    proxy: false,
    wasmPaths: { mjs: url('ort-wasm-simd-threaded.mjs'), wasm: url('ort-wasm-simd-threaded.wasm') },
    // Given the bytes, it fetches nothing.
    wasmBinary: wasm,
  });
  ort.env.logLevel = 'error';

  const json = async (pin: { file: string; sha256: string }) =>
    JSON.parse(new TextDecoder().decode(await readPinnedFile(modelDir, pin))) as object;
  const encode = createTextEncoder(
    await json(SENTENCE_ENCODER.tokenizer),
    await json(SENTENCE_ENCODER.tokenizerConfig),
  );
  const weights = await readPinnedFile(modelDir, SENTENCE_ENCODER.weights);
  const session = await ort.InferenceSession.create(weights, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: 'all',
  });

  return {
    encode,
    async runBatch(ids, rows, length) {
      const output = await session.run({
        input_ids: new ort.Tensor('int32', ids, [rows, length]),
        attention_mask: new ort.Tensor('int32', new Int32Array(ids.length).fill(1), [rows, length]),
      });
      return output['embedding']!.data as Float32Array;
    },
  };
}
