// `npm test`, and `npm run check` with --changed: only the tests in the folders of uncommitted changes, and of what
// lists everything.
// Types, lint and unit tests beside each other. The unit tests print as they go; what the others printed comes last,
// where it is seen. Fails when one of them does.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {dirname} from 'node:path';
import {text} from 'node:stream/consumers';

const isForChanges = process.argv.includes('--changed');

type Outcome = {readonly hasPassed: boolean; readonly printed: string};

/** Test folders of the files that git reports as changed: a folder of `source` has its tests below `test`. */
function listChangedFolders(): string {
	const changes = execFileSync('git', [
		'status',
		'--porcelain',
		'--no-renames',
		'--untracked-files=all',
		'--',
		'source',
		'test',
	]).toString();
	const folders = changes.split('\n').filter(Boolean);
	return [...new Set(folders.map(line => dirname(line.slice(3)).replace(/^source/, 'test')))]
		.filter(folder => folder !== 'test')
		.join(' ');
}

/** Tests of lists and pages that a change in any folder can leave incomplete. */
const listsOfEverything = 'test/docs/architecture.test.ts test/docs/pages.test.ts test/docs/links.test.ts';

async function check(script: string): Promise<Outcome> {
	const child = spawn(`npm run --silent ${script}`, {shell: true, stdio: ['ignore', 'pipe', 'pipe']});
	const closed = once(child, 'close');
	const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
	const [code] = await closed;
	return {hasPassed: code === 0, printed: `${printed}${script}: ${code === 0 ? 'passed' : 'failed'}\n`};
}

async function runUnitTests(): Promise<Outcome> {
	const script = isForChanges
		? `unit -- --passWithNoTests test/architecture ${listsOfEverything} ${listChangedFolders()}`
		: 'unit';
	const [code] = await once(spawn(`npm run --silent ${script}`, {shell: true, stdio: 'inherit'}), 'close');
	return {hasPassed: code === 0, printed: `unit tests: ${code === 0 ? 'passed' : 'failed'}\n`};
}

const outcomes = await Promise.all([runUnitTests(), check('types'), check('lint')]);
for (const {printed} of outcomes) process.stderr.write(printed);
if (outcomes.some(({hasPassed}) => !hasPassed)) process.exitCode = 1;
