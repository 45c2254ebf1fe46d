/** Prompts that YAML lists: promptfoo's configurations, and GitHub's `*.prompt.yml`. */
import { isMap, isScalar, isSeq, parseDocument, type Node, type YAMLMap } from 'yaml';
import type { Span } from '../../contracts/runRecord';
import type { Candidate } from './foundPrompts';
import { entryOf, parseJson, readJsonString, type JsonNode } from './jsonText';
import { composeMapped, type MappedText } from './mappedText';
import { roleOf } from './modelCalls';
import { isPromptYaml } from './wholeFile';
import { readYamlScalar } from './yamlText';

/** Configurations have a few pages; the YAML parser's time grows with the square of some texts. */
const LONGEST_YAML = 500_000;
/** Loaded from elsewhere: a file, a script, a registry. */
const REFERENCE =
  /^(?:[a-z][a-z0-9+-]*:\/\/\S+|[\w./*@{}-]+\.(?:txt|md|json|jsonl|ya?ml|py|[cm]?[jt]s|j2|csv|prompt)(?::\w+)?)$/i;

const isPromptfoo = (text: string) =>
  /^["']?prompts["']?:/m.test(text) &&
  /^["']?(?:providers|targets|tests|scenarios|defaultTest)["']?:/m.test(text);

export function promptfooYaml(path: string, text: string): Candidate[] {
  const root = rootOf(path, text);
  if (root === null) return [];
  if (!isPromptYaml(path)) {
    const values = {
      ...scalars(child(child(root, 'defaultTest'), 'vars')),
      ...scalars(child(first(child(root, 'tests')), 'vars')),
    };
    return listed(root).flatMap(({ symbol, raw }) => fromText(raw, text, symbol, values));
  }
  const values = scalars(first(child(root, 'testData')));
  const messages = child(root, 'messages');
  const found = isSeq(messages)
    ? messages.items.flatMap((item) => {
        const role = roleOf(String(scalarOf(child(item, 'role')) ?? ''));
        const content = child(item, 'content');
        return role === null || !isScalar(content)
          ? []
          : plain(content, text, ['messages', role], role, values);
      })
    : [];
  for (const key of ['system', 'prompt', 'template'] as const) {
    const value = child(root, key);
    if (isScalar(value)) found.push(...plain(value, text, [key], key === 'system' ? 'system' : null, values));
  }
  return found;
}

/** Files and scripts that a promptfoo configuration takes prompts from; `line` is 1-based. */
export function promptReferences(path: string, text: string): { reference: string; line: number }[] {
  const root = isPromptYaml(path) ? null : rootOf(path, text);
  if (root === null) return [];
  return listed(root).flatMap(({ raw }) => {
    const value = scalarOf(raw);
    if (typeof value !== 'string' || !REFERENCE.test(value.trim()) || !raw.range) return [];
    return [{ reference: value.trim(), line: text.slice(0, raw.range[0]).split('\n').length }];
  });
}

function rootOf(path: string, text: string): YAMLMap | null {
  if (text.length > LONGEST_YAML || !(isPromptYaml(path) || isPromptfoo(text))) return null;
  const { contents } = parseDocument(text, { logLevel: 'silent' });
  return isMap(contents) ? contents : null;
}

interface Listed {
  /** The scalar with the prompt itself. */
  raw: Node;
  symbol: string;
}

function listed(root: YAMLMap): Listed[] {
  const prompts = child(root, 'prompts');
  const items = isSeq(prompts) ? prompts.items : [prompts];
  return items.flatMap((item, index) => {
    const node = item as Node | null;
    const label = scalarOf(child(node, 'label')) ?? scalarOf(child(node, 'id'));
    const raw = isMap(node) ? (child(node, 'raw') ?? child(node, 'id')) : node;
    const symbol = typeof label === 'string' && /^[\w -]+$/.test(label) ? label : `prompts[${index}]`;
    return isScalar(raw) && node !== null ? [{ raw, symbol }] : [];
  });
}

function plain(
  node: Node,
  source: string,
  symbol: string[],
  role: Candidate['role'],
  values: Record<string, string>,
): Candidate[] {
  const mapped = isScalar(node) ? readYamlScalar(node, source) : null;
  if (mapped === null || mapped.text.trim() === '' || !node.range) return [];
  return [{ mapped, symbol, because: 'file', role, span: spanOf(node), values }];
}

function fromText(node: Node, source: string, symbol: string, values: Record<string, string>): Candidate[] {
  const [whole] = plain(node, source, [symbol], null, values);
  if (whole === undefined || REFERENCE.test(whole.mapped.text.trim())) return [];
  const chat = messagesIn(whole.mapped);
  if (chat.length === 0) return [whole];
  return chat.map(({ mapped, role }) => {
    const first = mapped.pieces[0]!.source.start;
    const last = mapped.pieces.at(-1)!.source.end;
    return { ...whole, mapped, role, symbol: [symbol, role], span: { start: first, end: last } };
  });
}

/** A chat as JSON: `[{"role": "system", "content": "…"}]`. */
function messagesIn(outer: MappedText): { mapped: MappedText; role: 'system' | 'user' }[] {
  if (!/^\s*[[{]/.test(outer.text)) return [];
  const json = parseJson(outer.text);
  const items: JsonNode[] = json?.kind === 'array' ? json.items : json === null ? [] : [json];
  const messages =
    items.length === 1 && entryOf(items[0], 'messages') !== null ? entryOf(items[0], 'messages') : null;
  return (messages?.kind === 'array' ? messages.items : items).flatMap((item) => {
    const roleNode = entryOf(item, 'role');
    const content = entryOf(item, 'content');
    if (roleNode?.kind !== 'string' || content?.kind !== 'string') return [];
    const role = roleOf(readJsonString(outer.text, roleNode.span).text);
    const mapped = composeMapped(readJsonString(outer.text, content.span), outer);
    return role === null || mapped.pieces.length === 0 ? [] : [{ mapped, role }];
  });
}

const spanOf = (node: Node): Span => ({ start: node.range![0], end: node.range![1] });
const child = (node: unknown, key: string): Node | null =>
  isMap(node) ? ((node.get(key, true) as Node | undefined) ?? null) : null;
const first = (node: unknown): Node | null =>
  isSeq(node) ? ((node.items[0] as Node | undefined) ?? null) : null;
const scalarOf = (node: unknown): unknown => (isScalar(node) ? node.value : null);

function scalars(node: unknown): Record<string, string> {
  if (!isMap(node)) return {};
  return Object.fromEntries(
    node.items.flatMap((pair) => {
      const value = scalarOf(pair.value);
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
      return isPlain && !(typeof value === 'string' && /^file:\/\//.test(value))
        ? [[String(scalarOf(pair.key)), String(value)]]
        : [];
    }),
  );
}
