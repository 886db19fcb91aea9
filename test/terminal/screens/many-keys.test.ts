import {readdirSync, readlinkSync} from 'node:fs';
import {expect, test} from 'vitest';
import {GeneratedKeys} from '../../../source/simulator/world/generated-keys.ts';
import {homeOf} from '../../screens/support/sample-ways.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

/** More keys than the list of keys holds in memory. */
const count = 300_000;
const patience = {within: 60_000};

/** At the beginning of the keys that are generated, as a list. */
async function atGenerated(options: OpenOptions = {}): Promise<Screen> {
	const service = await serveSimulator({generatedKeys: count});
	const screen = await openScreen([], {...options, env: {...service.env, ...options.env}});
	await homeOf(screen);
	screen.press('enter');
	await screen.waitFor('generated');
	screen.press('/');
	screen.type('generated');
	screen.press('enter');
	await screen.waitFor(() => screen.selectedRow().text.includes('generated'));
	screen.press('enter');
	await screen.waitFor(/asset\/ .*1,000\+/);
	screen.press('t');
	await screen.waitFor(() => screen.selectedRow().text.includes('asset/00/00000000.json'));
	return screen;
}

const keys = new GeneratedKeys(count);

/** How many names hold a text. */
const holding = (text: string): number =>
	Array.from({length: count}, (_, number) => keys.nameAt(number)).filter(name => name.includes(text)).length;

/** What of a folder a process has open: also files that have no name. */
function openFiles(pid: number, folder: string): string[] {
	return readdirSync(`/proc/${pid}/fd`)
		.map(file => linkOf(`/proc/${pid}/fd/${file}`))
		.filter(path => path.startsWith(folder));
}

function linkOf(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}

test('more keys than memory holds are listed to the end, filtered, and shown as a tree; no file of them is left', {
	timeout: 120_000,
}, async () => {
	const screen = await atGenerated();
	screen.press('end');
	await screen.waitFor(/10,000,000 keys take 37 min .*[12]\d\d,000\+ keys/, patience);
	await screen.waitFor('300,000 keys', patience);
	await screen.waitFor(() => screen.selectedRow().text.includes('user:00059999:settings'));
	if (process.platform === 'linux')
		expect(openFiles(screen.pid, '/').filter(path => /\.keys\.\S+ \(deleted\)$/.test(path))).toHaveLength(1);
	screen.press('home');
	await screen.waitFor(() => screen.selectedRow().text.includes('asset/00/00000000.json'));

	screen.press('/');
	screen.type('5999');
	screen.press('enter');
	await screen.waitFor(` ${holding('5999')} of 300,000`, patience);
	screen.press('end');
	await screen.waitFor(() => screen.selectedRow().text.includes('user:00059999:settings'));
	screen.press('esc');
	await screen.waitFor(() => screen.selectedRow().text.includes('user:00059999:settings'), patience);

	screen.press('t');
	await screen.waitFor(() => /user: +120,000/.test(screen.selectedRow().text), patience);
	screen.press('right');
	await screen.waitFor(/▾ user: +120,000/);
	screen.press('end');
	await screen.waitFor(() => /00059999: +2/.test(screen.selectedRow().text), patience);
	screen.press('ctrl-c');
	await screen.waitForEnd();
});

test('where the state directory cannot be written, the list stays in memory, and that is shown', {
	timeout: 120_000,
}, async () => {
	const screen = await atGenerated({env: {LEDGE_STATE_DIR: '/dev/null/none'}});
	screen.press('end');
	await screen.waitFor('All keys stay in memory, 40 MB a million. The state directory', patience);
	await screen.waitFor(() => screen.selectedRow().text.includes('user:00059999:settings'), patience);
	screen.press('ctrl-c');
	await screen.waitForEnd();
});
