import type { HeadlineState } from '../../src/contracts/reportView';
import { StateIcon } from './StateIcon';

export function Message(props: { state: HeadlineState; title: string; text: string; hint?: string }) {
  return (
    <header class={`card card-${props.state}`}>
      <StateIcon state={props.state} />
      <div class="card-body">
        <h1>{props.title}</h1>
        <p class="sentence">{props.text}</p>
        {props.hint && <p class="hint">{props.hint}</p>}
      </div>
    </header>
  );
}
