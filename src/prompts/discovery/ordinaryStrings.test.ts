/** Strings that are no prompts, though their names or places come near. */
import { describe, expect, it } from 'vitest';
import { discoverIn } from '../../../test/discovery/discoverIn';

const TYPESCRIPT: string[] = [
  `const promptColor = 'red and blue and green and yellow and more';`,
  `const systemPath = '/usr/local/share/some/long/path/to/a/file';`,
  `const promptFile = './prompts/one two three four five.txt';`,
  `const promptId = 'the one and only id of this very thing here';`,
  `const PROMPT_VERSION = 'version one point two of the third series';`,
  `const MAY_HOLD_PROMPTS = '**/*.{prompt,prompty,ts,tsx,mts,cts,js,jsx,mjs}';`,
  `const prompt = '> ';`,
  `const prompt = '';`,
  `const prompt = 'Please enter your name and press return:';`,
  `const promptText = 'Are you sure that you want to delete this file?';`,
  `const confirmPrompt = 'This will remove all of your files from the disk for ever.';`,
  `rl.question('What is your favourite colour of all the colours? ', (x) => x);`,
  `rl.setPrompt('command or question or anything else> ');`,
  `inquirer.prompt([{ type: 'input', name: 'x', message: 'What is the name of your new project?' }]);`,
  `window.prompt('Please type the new name of the folder here', 'New folder');`,
  `vscode.window.showInputBox({ prompt: 'Enter the name of the branch that you want to make' });`,
  `vscode.window.showInputBox({ prompt: 'The name of the branch, without blanks or slashes' });`,
  `const instructions = 'Drag the file here to upload it to your own account';`,
  `const x = { instructions: 'Press any key to continue with the next step of it' };`,
  `const installInstructions = 'Run the installer and restart the computer when it is done.';`,
  `const x = { system: 'linux' };`,
  `const x = { system: 'Ubuntu 22.04 LTS with the newest kernel of them all' };`,
  `const systemFont = 'Segoe UI, Helvetica, Arial, sans serif and others';`,
  `const filesystem = 'a file system that keeps many small files together';`,
  `const x = { role: 'button', content: 'Press this button to go on to the next page' };`,
  `const x = { role: 'user', name: 'A person who uses this and that all day long' };`,
  `const x = { role: 'admin', content: 'Somebody who may do everything there is to do' };`,
  `const x = { role: 'assistant', content: 'I am sorry, but I cannot help you with that.' };`,
  `const x = { role: 'user', content: '' };`,
  `const x = { role: 'user', content: \`\${question}\` };`,
  `const message = 'You are a helpful assistant, but this is only a message.';`,
  `const content = 'Summarize the following text in one sentence, please.';`,
  `const text = 'You are now signed in and can go on with your work.';`,
  `throw new Error('The system prompt must not be empty, give one please.');`,
  `log.info('system prompt was changed by the user, all is read anew');`,
  `// The prompt is a text that a model reads\nconst x = 'some words that stand below a comment here';`,
  `const prompt = loadPrompt('the name of a prompt that is kept elsewhere');`,
  `const prompt: string = await readFile(path, 'utf8');`,
  `const promptRegex = /you are (a|an) helpful assistant who answers/;`,
  `import { systemPrompt } from './the/path/of/the/prompts/of/this/app';`,
  `type Prompt = 'one of these words' | 'or these other words here';`,
  `const sql = { prompt: 'SELECT id, text, role FROM prompts WHERE id = 1' };`,
  `const css = css\`prompt: { color: red; background: blue; margin: 0 }\`;`,
  `const systemPrompt = html\`<div>You are a helpful assistant who answers</div>\`;`,
  `const view = <Dialog prompt="Do you really want to leave this page now?" />;`,
  `client.query({ input: 'some words that are searched for in the index' });`,
  `model.find({ template: 'a template of a page that people see first' });`,
  `const template = 'Dear {{name}}, your order has been sent to you today.';`,
  `const x = { goal: 'win the game against all of the other players' };`,
  `describe('the system prompt', () => { it('is sent with every request to it', () => {}); });`,
  `const userPromptLabel = 'The text that you want to send to the model today';`,
  `const promptPlaceholder = 'Write what you would like to know about this';`,
  `// evenkeel: not a prompt\nconst systemPrompt = 'You are a helpful assistant who answers briefly.';`,
  `const systemPrompt = 'You are a helpful assistant who answers briefly.'; // evenkeel: ignore`,
];
const PYTHON: string[] = [
  `prompt = input("Please enter the name of your favourite colour: ")`,
  `name = input(prompt="Please enter the name of your favourite colour: ")`,
  `PROMPT = ">>> "`,
  `PS1_PROMPT = "user@host:~$ "`,
  `prompt_color = "a name of a colour that nobody has ever heard of"`,
  `system_path = "/usr/local/share/some/long/path/to/some/file"`,
  `click.option("--name", prompt="Your name, as it stands in the passport")`,
  `getpass.getpass(prompt="Password for the database of this machine: ")`,
  `instructions = "Turn the knob to the left until you hear a click."`,
  `x = {"role": "admin", "content": "Somebody who may do everything there is"}`,
  `x = {"role": "assistant", "content": "I am sorry, but I cannot do this."}`,
  `def prompt(text):\n    """Ask the user for some text and return what was typed."""`,
  `# prompt the user for a name, then go on with the program\nx = "some words that stand below a comment here"`,
  `prompt = b"You are a helpful assistant who answers questions in bytes."`,
  `logger.info("the system prompt of the user was too long for the model")`,
  `system = platform.system()`,
  `prompt_tokens = "many more tokens than the model could ever read at once"`,
  `template = "Dear {name}, your order has been sent to you this morning."`,
];

describe('strings that are no prompts', () => {
  it('are at least forty', () => expect(TYPESCRIPT.length + PYTHON.length).toBeGreaterThan(70));
  for (const source of TYPESCRIPT) {
    it(source, () => expect(discoverIn('a.tsx', source).map(({ text }) => text)).toEqual([]));
  }
  for (const source of PYTHON) {
    it(source, () => expect(discoverIn('a.py', source).map(({ text }) => text)).toEqual([]));
  }
  it('YAML that lists no prompts for models', () => {
    for (const text of [
      'prompts: [a, b]\nname: x\n',
      'name: x\nsteps:\n  - prompt: Enter your name please, all of it\n',
      'providers: [x]\nprompts:\n  - file://prompts/a.txt\n  - prompts/b.txt\n  - prompts.py:make\n',
      '- prompts:\n  - one two three\n',
      'prompts: &a [*a]\nproviders: [x]\n',
      ': : :\n\tprompts:',
    ]) {
      expect(discoverIn('config.yaml', text).map((prompt) => prompt.text)).toEqual([]);
    }
  });
  it('notebooks that are none, damaged or of other programs', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{"cells": 1}',
      '['.repeat(100_000),
      JSON.stringify({
        cells: [{ cell_type: 'markdown', source: 'SYSTEM_PROMPT = "You are a kind assistant."' }],
      }),
      JSON.stringify({
        cells: [{ cell_type: 'code', source: '%%bash\nSYSTEM_PROMPT="You are a kind assistant here."' }],
      }),
    ]) {
      expect(discoverIn('a.ipynb', text)).toEqual([]);
    }
  });
});
