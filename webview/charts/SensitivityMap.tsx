import type { ComparisonView, MemberView } from '../../src/contracts/reportView';
import { Figure } from './Figure';

const ROW_PX = 44;
const HEAD_PX = 22;
const NAME_PX = 18;

/** `minilm/jsd` stands in row minilm, column jsd; members without an embedder have a row of their own. */
function placeOf(id: string): { embedder: string; statistic: string } {
  const slash = id.lastIndexOf('/');
  return slash < 0
    ? { embedder: 'texts alone', statistic: id }
    : { embedder: id.slice(0, slash), statistic: id.slice(slash + 1) };
}

const columnWords: Record<string, string> = {
  jsd: 'JSD',
  energy: 'energy',
  label: 'labels',
  string: 'letters',
};
const columnWord = (statistic: string) => columnWords[statistic] ?? statistic.replace(/^mmd/, 'MMD ');

/** Embedder × discrepancy: would another choice have said something else? */
export function SensitivityMap({ row, alpha }: { row: ComparisonView; alpha: number }) {
  const members = row.members.map((member) => ({ member, ...placeOf(member.id) }));
  const embedders = [...new Set(members.map(({ embedder }) => embedder))];
  const most = Math.max(
    1,
    ...embedders.map((each) => members.filter(({ embedder }) => embedder === each).length),
  );
  const heightPx = embedders.length * (NAME_PX + ROW_PX + HEAD_PX) + 4;
  const speaking = row.members.filter(({ dropped }) => dropped === null).length;
  const agreeing = row.members.filter(({ agrees }) => agrees).length;
  const draw = (widthPx: number) => {
    const cellPx = Math.min(84, widthPx / most);
    return embedders.map((each, r) => {
      const top = r * (NAME_PX + ROW_PX + HEAD_PX);
      return (
        <g key={each}>
          <text class="to-right strong" x={2} y={top + 13}>
            {each.length > 30 ? `${each.slice(0, 29)}…` : each}
          </text>
          {members
            .filter(({ embedder }) => embedder === each)
            .map(({ member, statistic }, c) => (
              <Cell
                key={member.id}
                member={member}
                label={columnWord(statistic)}
                x={c * cellPx}
                y={top + NAME_PX}
                cellPx={cellPx}
              />
            ))}
        </g>
      );
    });
  };
  return (
    <Figure
      name={`Sensitivity grid, ${row.name}`}
      title={`${agreeing} of ${speaking} agree that it moved`}
      legend={
        <p class="legend">
          Each cell: one statistic alone, with its step-down p. ◆ p ≤ {alpha}, ○ above, – left out.
        </p>
      }
      spoken={`${agreeing} of ${speaking} statistics find a change on their own: ${row.members
        .filter(({ agrees }) => agrees)
        .map(({ name }) => name)
        .join(', ')}.`}
      numbers={{
        head: ['Embedder', 'Statistic', 'Value', 'z', 'p', 'Step-down p', 'Agrees'],
        rows: members.map(({ member, embedder, statistic }) => [
          embedder,
          statistic,
          ...(member.dropped === null
            ? [
                member.statistic.text,
                member.z.text,
                member.p.text,
                member.adjustedP.text,
                member.agrees ? 'yes' : 'no',
              ]
            : ['', '', '', '', `left out: ${member.dropped}`]),
        ]),
      }}
      heightPx={heightPx}
      maxWidthPx={84 * most}
      draw={draw}
    />
  );
}

function Cell(props: { member: MemberView; label: string; x: number; y: number; cellPx: number }) {
  const { member, x, y, cellPx } = props;
  const middle = x + cellPx / 2;
  const kind = member.dropped !== null ? 'dropped' : member.agrees ? 'agrees' : 'quiet';
  const narrow = cellPx < 62;
  return (
    <g>
      <text x={middle} y={y + 15}>
        {narrow ? props.label.replace('MMD ', 'M ') : props.label}
      </text>
      <rect class={`cell cell-${kind}`} x={x + 2} y={y + HEAD_PX} width={cellPx - 4} height={ROW_PX - 4} />
      <text class="strong" x={middle} y={y + HEAD_PX + 17}>
        {kind === 'agrees' ? '◆' : kind === 'quiet' ? '○' : '–'}
      </text>
      <text x={middle} y={y + HEAD_PX + 33}>
        {member.dropped === null
          ? narrow
            ? member.adjustedP.text.replace('< 0', '<')
            : member.adjustedP.text
          : ''}
      </text>
    </g>
  );
}
