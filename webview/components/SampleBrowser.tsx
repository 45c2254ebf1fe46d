import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReportView, SampleView } from '../../src/contracts/reportView';
import type { Outcome } from '../../src/contracts/runRecord';
import type { Problem, SampleQuery } from '../../src/contracts/webviewProtocol';
import { bridge, query, setQuery } from '../state';
import { SampleReader } from './SampleReader';
import { Disclosure } from './Section';
import { Runs } from './Text';

const PAGE = 100;
const ROW_PX = 58;
/** Rows drawn above and below those in sight. */
const SPARE_ROWS = 6;

/** Every answer of the run: filtered, searched, and two of them held against each other. */
export function SampleBrowser({ view }: { view: ReportView }) {
  return (
    <Disclosure id="browser" class="section" summary={<h2>All answers</h2>}>
      <Browser view={view} />
    </Disclosure>
  );
}

function Browser({ view }: { view: ReportView }) {
  const [picked, setPicked] = useState<SampleView[]>([]);
  const nameOf = (sample: SampleView) =>
    `${view.conditions.find(({ id }) => id === sample.conditionId)?.name ?? sample.conditionId} ${sample.index + 1}`;
  const toggle = (sample: SampleView) => {
    const without = picked.filter((each) => !same(each, sample));
    setPicked(without.length < picked.length ? without : [...picked, sample].slice(-2));
  };
  return (
    <>
      <Filters view={view} />
      <Results key={JSON.stringify(query.value)} nameOf={nameOf} picked={picked} onPick={toggle} />
      <SampleReader picked={picked} nameOf={nameOf} />
    </>
  );
}

const same = (a: SampleView, b: SampleView) => a.conditionId === b.conditionId && a.index === b.index;

function Filters({ view }: { view: ReportView }) {
  const now = query.value;
  const set = (change: Partial<SampleQuery>) => setQuery({ ...now, ...change });
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Select
        label="Prompt"
        value={now.conditionId ?? ''}
        choices={view.conditions.map(({ id, name, samples }) => [
          id,
          `${name} (${samples.toLocaleString('en')})`,
        ])}
        onChange={(value) => set({ conditionId: value || null })}
      />
      <Select
        label="Outcome"
        value={now.outcome ?? ''}
        choices={view.outcomes.map(({ outcome, label, count }) => [
          outcome,
          `${label} (${count.toLocaleString('en')})`,
        ])}
        onChange={(value) => set({ outcome: (value || null) as Outcome | null })}
      />
      <Select
        label="Answer"
        value={now.answer ?? ''}
        choices={view.commonAnswers.map(({ text, count }) => [
          text,
          `${text} (${count.toLocaleString('en')})`,
        ])}
        onChange={(value) => set({ answer: value || null })}
      />
      <label class="search">
        Search
        <input
          type="search"
          value={now.search}
          maxLength={1000}
          spellcheck={false}
          onInput={(event) => set({ search: event.currentTarget.value })}
        />
      </label>
    </form>
  );
}

function Select(props: {
  label: string;
  value: string;
  choices: [value: string, text: string][];
  onChange: (value: string) => void;
}) {
  return (
    <label>
      {props.label}
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <option value="">all</option>
        {props.choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Only what is in sight is drawn, and only the pages around it are asked for. */
function Results(props: {
  nameOf: (sample: SampleView) => string;
  picked: SampleView[];
  onPick: (sample: SampleView) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [active, setActive] = useState(0);
  const { total, sampleAt, failure } = usePages(first);
  const viewportRows = Math.ceil((list.current?.clientHeight ?? 7 * ROW_PX) / ROW_PX);
  const from = Math.max(0, first - SPARE_ROWS);
  const to = Math.min(total ?? 0, first + viewportRows + SPARE_ROWS);
  const move = (index: number) => {
    const next = Math.max(0, Math.min((total ?? 1) - 1, index));
    setActive(next);
    const box = list.current;
    if (!box) return;
    if (next * ROW_PX < box.scrollTop) box.scrollTop = next * ROW_PX;
    else if ((next + 1) * ROW_PX > box.scrollTop + box.clientHeight)
      box.scrollTop = (next + 1) * ROW_PX - box.clientHeight;
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + viewportRows,
      PageUp: active - viewportRows,
      Home: 0,
      End: (total ?? 1) - 1,
    };
    const sample = sampleAt(active);
    if (steps[event.key] !== undefined) move(steps[event.key]!);
    else if ((event.key === 'Enter' || event.key === ' ') && sample) props.onPick(sample);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <p class="quiet" role="status" data-field="found">
        {failure !== '' ? failure : total === null ? '' : `${total.toLocaleString('en')} found`}
      </p>
      <div
        ref={list}
        class="results"
        role="listbox"
        aria-label="Answers; choose two to compare them"
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={active >= from && active < to ? `answer-${active}` : undefined}
        onKeyDown={onKey}
        onScroll={(event) => setFirst(Math.floor(event.currentTarget.scrollTop / ROW_PX))}
      >
        <svg class="spacer" width="1" height={from * ROW_PX} aria-hidden="true" />
        {Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i).map((index) => {
          const sample = sampleAt(index);
          const isPicked = sample !== undefined && props.picked.some((each) => same(each, sample));
          return (
            <div
              key={index}
              id={`answer-${index}`}
              class={`result${index === active ? ' result-active' : ''}${isPicked ? ' result-picked' : ''}`}
              role="option"
              aria-selected={isPicked}
              aria-setsize={total ?? 0}
              aria-posinset={index + 1}
              onClick={() => {
                setActive(index);
                if (sample) props.onPick(sample);
              }}
            >
              {sample ? <Result sample={sample} name={props.nameOf(sample)} /> : <span class="quiet">…</span>}
            </div>
          );
        })}
        <svg class="spacer" width="1" height={Math.max(0, (total ?? 0) - to) * ROW_PX} aria-hidden="true" />
      </div>
    </>
  );
}

const MAX_ROW_CHARS = 400;

function Result({ sample, name }: { sample: SampleView; name: string }) {
  let left = MAX_ROW_CHARS;
  const runs = sample.text.runs.flatMap((run) => {
    if (left <= 0) return [];
    const text = run.text.slice(0, left);
    left -= text.length;
    return [{ ...run, text }];
  });
  return (
    <>
      <span class="result-name quiet">
        {name}
        {sample.outcome !== 'ok' && <span class="outcome">{sample.outcomeText}</span>}
      </span>
      <bdi class="result-text raw">
        {runs.length === 0 ? <em class="quiet">nothing</em> : <Runs runs={runs} />}
      </bdi>
    </>
  );
}

/** The pages around row `first` of what the query finds. */
function usePages(first: number) {
  const [pages, setPages] = useState<ReadonlyMap<number, SampleView[]>>(new Map());
  const [total, setTotal] = useState<number | null>(null);
  const [failure, setFailure] = useState('');
  const asked = useRef(new Set<number>());
  useEffect(() => {
    for (const page of new Set([Math.floor(first / PAGE), Math.floor((first + 2 * SPARE_ROWS) / PAGE)])) {
      if (asked.current.has(page)) continue;
      asked.current.add(page);
      bridge
        .request('browse', { ...query.value, offset: page * PAGE, limit: PAGE })
        .then((found) => {
          setTotal(found.total);
          setPages((before) => new Map(before).set(page, found.samples));
        })
        .catch((problem: Partial<Problem>) =>
          setFailure(problem.message ?? 'The answers could not be loaded.'),
        );
    }
  }, [first]);
  const sampleAt = (index: number) => pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  return { total, sampleAt, failure };
}
