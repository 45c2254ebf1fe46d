/** What a model may say to a page that trusts it. All of it must stay text. */
export const hostileTexts = [
  '<script>window.harmed = 1</script>',
  '</script><script>window.harmed = 1</script>',
  '<img src=x onerror="window.harmed = 1">',
  '<svg/onload=window.harmed=1><animate onbegin=window.harmed=1 attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.harmed=1</script>"></iframe>',
  '<style>body{display:none}</style><link rel=stylesheet href=//example.invalid/x.css>',
  '<meta http-equiv=refresh content="0;url=https://example.invalid/">',
  '<base href="https://example.invalid/">',
  '<vscode-button onclick="window.harmed=1">Run</vscode-button>',
  '[click me](command:workbench.action.terminal.new) <a href="javascript:window.harmed=1">x</a>',
  '{{constructor.constructor("window.harmed=1")()}} ${window.harmed=1}',
  '<!-- --><![CDATA[ ]]><?xml ?><!DOCTYPE html>',
  '\u001b]0;title\u0007\u001b[2J\u001b[31mred\u001b[0m',
  'pay \u202e001$\u202c now \u2066hidden\u2069',
  'zero\u200bwidth\ufeff and \u0000 null',
  '\u2028\u2029"\'`\\',
];
