import path from 'node:path';
import type { Fault, RepositoryFile, TextGuard } from './textGuards';

const isDocument = ({ path: file }: RepositoryFile) =>
  /^[^/]+\.md$|^docs\/.*\.md$|(^|\/)README\.md$/.test(file);
const FENCE = /^\s*(```|~~~)/;

/** Links between documents lead somewhere, headings included; so do the paths that the maps of the project name. */
export const docLinks: TextGuard = (files) => {
  const paths = files.map(({ path: file }) => file);
  const known = new Set(paths.flatMap((file) => [file, ...parents(file)]));
  const headings = new Map(
    files.filter(isDocument).map((file) => [file.path, new Set(headingSlugs(file.text ?? ''))]),
  );
  return files
    .filter(isDocument)
    .flatMap((file) => [
      ...brokenLinks(file, known, headings),
      ...(/^(ARCHITECTURE|CONTRIBUTING)\.md$/.test(file.path) ? missingPaths(file, paths, known) : []),
    ]);
};

function brokenLinks(file: RepositoryFile, known: Set<string>, headings: Map<string, Set<string>>): Fault[] {
  return proseLines(file.text ?? '').flatMap(({ text, line }) =>
    [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|(?:src|href)="([^"]+)"/g)].flatMap((match) => {
      const target = (match[1] ?? match[2])!;
      if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return [];
      const [to = '', anchor] = decodeURI(target).split('#');
      const destination =
        to === '' ? file.path : path.posix.join(path.posix.dirname(file.path), to).replace(/\/$/, '');
      if (destination !== '.' && !known.has(destination)) {
        return [{ path: file.path, line, message: `links to ${target}, which does not exist` }];
      }
      const slugs = headings.get(destination);
      return anchor !== undefined && slugs !== undefined && !slugs.has(anchor)
        ? [{ path: file.path, line, message: `links to ${target}, but there is no such heading` }]
        : [];
    }),
  );
}

/** Backticked paths such as `src/stats/rng.ts` or `src/store/*.test.ts`. */
function missingPaths(file: RepositoryFile, paths: string[], known: Set<string>): Fault[] {
  return proseLines(file.text ?? '').flatMap(({ text, line }) =>
    [...text.matchAll(/`((?:src|test|scripts|docs|bench|webview|media)\/[\w./*-]*)`/g)].flatMap((match) => {
      const named = match[1]!.replace(/\/$/, '');
      const pattern = new RegExp(
        `^${named.replace(/[.+?^$()|[\]{}]/g, '\\$&').replace(/\*\*?/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))}$`,
      );
      return known.has(named) || paths.some((one) => pattern.test(one))
        ? []
        : [{ path: file.path, line, message: `names ${named}, which does not exist` }];
    }),
  );
}

function proseLines(text: string): { text: string; line: number }[] {
  let fenced = false;
  return text.split('\n').flatMap((one, index) => {
    const fence = FENCE.test(one);
    if (fence) fenced = !fenced;
    return fenced || fence ? [] : [{ text: one, line: index + 1 }];
  });
}

/** As the forges make them: lower case, punctuation dropped, spaces to hyphens, repeats numbered. */
function headingSlugs(text: string): string[] {
  const seen = new Map<string, number>();
  return proseLines(text).flatMap(({ text: line }) => {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) return [];
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const repeat = seen.get(slug) ?? 0;
    seen.set(slug, repeat + 1);
    return [repeat === 0 ? slug : `${slug}-${repeat}`];
  });
}

function parents(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [] : [folder, ...parents(folder)];
}
