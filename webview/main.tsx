import '@vscode-elements/elements/dist/vscode-badge/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import { render } from 'preact';
import { App } from './components/App';
import './theme.css';
import './report.css';
import { keepState } from './state';

const root = document.getElementById('root');
if (root) render(<App />, root);

let scrolling: ReturnType<typeof setTimeout> | undefined;
window.addEventListener(
  'scroll',
  () => {
    clearTimeout(scrolling);
    scrolling = setTimeout(keepState, 200);
  },
  { passive: true },
);
// Paper cannot be clicked. The charts' tables of numbers stay folded: they would fill pages.
window.addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('details:not(.numbers)'))
    details.open = true;
});
