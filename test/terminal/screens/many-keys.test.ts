import {readdirSync, readlinkSync} from 'node:fs';
import {expect, test} from 'vitest';
import {GeneratedKeys} from '../../../source/simulator/simulator.ts';
import {formatInteger} from '../../../source/text/figures.ts';
import {waitForHome} from '../../screens/support/sample-ways.ts';
import {isFull} from '../../support/full.ts';
import {createScratchFolder, program} from '../../support/ledge.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import {type OpenOptions, openProgram, openScreen, type Screen} from '../screen/open.ts';

/** More keys than the list of keys holds in memory; in `npm run test:full` as many as ledge promises. */
const count = isFull ? 10_000_000 : 300_000;
const formattedCount = formatInteger(count);
const lastUserNumber = lastUser(count);
const patience = {within: isFull ? 900_000 : 60_000};
/** Waits for the quota take a twentieth of their time: for ten million keys they would take 37 minutes. */
const scale = isFull ? {LEDGE_TIME_SCALE: '0.05'} : {};
/** A few more keys than memory holds, where these are enough. */
const smallCount = 300_000;
const maxMegabytes = 200;

/** Opens the generated keys as a list, with the cursor on the first one. */
async function openGeneratedKeys(
	count: number,
	options: OpenOptions = {},
	open: (options: OpenOptions) => Promise<Screen> = one => openScreen([], one),
): Promise<Screen> {
	const service = await serveSimulator({generatedKeys: count});
	const screen = await open({...options, env: {...service.env, ...scale, ...options.env}});
	await waitForHome(screen);
	screen.press('enter');
	await screen.waitFor('generated');
	screen.press('/');
	screen.type('generated');
	screen.press('enter');
	// How many keys it has is measured by the service, and read beside the namespaces.
	await screen.waitFor(() =>
		new RegExp(`generated .*${formatInteger(count)}`).test(screen.selectedRow().text),
	);
	screen.press('enter');
	await screen.waitFor(/asset\/(00\/)? .*1,000\+/);
	screen.press('t');
	await screen.waitFor(() => screen.selectedRow().text.includes('asset/00/00000000.json'));
	return screen;
}

const generatedKeys = new GeneratedKeys(count);

/** The number of the last user among this many keys. */
function lastUser(keyCount: number): string {
	return String(keyCount / 5 - 1).padStart(8, '0');
}

/** Counts the names that contain a text. */
function countNamesWith(text: string): number {
	let names = 0;
	for (let number = 0; number < count; number++) if (generatedKeys.getName(number).includes(text)) names++;
	return names;
}

/** The key that expires first. */
function firstExpiring(): string {
	let [first, soonest] = ['', Number.POSITIVE_INFINITY];
	for (let number = 0; number < count; number++) {
		const {key, expiration} = generatedKeys.getKey(number);
		if (expiration !== null && expiration < soonest) [first, soonest] = [key, expiration];
	}
	return first;
}

/** What a program has open of a list of keys: files that have no name. */
const namelessFiles = ({pid}: Screen): readonly string[] =>
	readdirSync(`/proc/${pid}/fd`)
		.map(file => linkOf(`/proc/${pid}/fd/${file}`))
		.filter(path => /\.keys\.\S+ \(deleted\)$/.test(path));

const filesBelow = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'});

function linkOf(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}

test('more keys than memory holds are listed to the end, filtered, sorted and shown as a tree, leaving no file', {
	timeout: isFull ? 1_800_000 : 180_000,
}, async () => {
	const home = createScratchFolder();
	const screen = await openGeneratedKeys(count, {home});
	screen.press('end');
	await screen.waitFor(
		isFull ? /10,000,000 keys take 37 min .*[12]\d\d,000\+ keys/ : /[12]\d\d,000\+ keys/,
		patience,
	);
	await screen.waitFor(`  ${formattedCount} keys`, patience);
	await screen.waitFor(() => screen.selectedRow().text.includes(`user:${lastUserNumber}:settings`), patience);
	if (process.platform === 'linux') expect(namelessFiles(screen)).toHaveLength(1);
	screen.press('home');
	await screen.waitFor(() => screen.selectedRow().text.includes('asset/00/00000000.json'));

	screen.press('/');
	screen.type('5999');
	screen.press('enter');
	await screen.waitFor(` ${formatInteger(countNamesWith('5999'))} of ${formattedCount}`, patience);
	screen.press('end');
	await screen.waitFor(() => /user:\d*5999\d*:settings/.test(screen.selectedRow().text));
	screen.press('esc');
	await screen.waitFor(() => !screen.text().includes(` of ${formattedCount}`), patience);

	const first = firstExpiring();
	screen.press('s');
	await screen.waitFor(() => screen.selectedRow().text.includes(first), patience);
	screen.press('end');
	await screen.waitFor(() => screen.selectedRow().text.includes(`user:${lastUserNumber}:settings`));
	screen.press('s', 'home');
	await screen.waitFor(() => screen.selectedRow().text.includes('asset/00/00000000.json'), patience);

	screen.press('t');
	await screen.waitFor(new RegExp(`▾ asset/ +${formatInteger(count / 10)}`), patience);
	screen.press('end');
	await screen.waitFor(() => screen.selectedRow().text.includes(`user: `), patience);
	expect(screen.selectedRow().text).toContain(formatInteger((count * 2) / 5));
	screen.press('right');
	await screen.waitFor(/▾ user: +/);
	screen.press('end');
	await screen.waitFor(() => new RegExp(`${lastUserNumber}: +2`).test(screen.selectedRow().text), patience);
	if (process.platform === 'linux') expect(screen.peakMegabytes()).toBeLessThanOrEqual(maxMegabytes);

	screen.kill('SIGKILL');
	await screen.ended;
	expect(filesBelow(home).filter(path => path.includes('keys'))).toEqual([]);
});

test('a search in many keys first shows its time and faster alternatives', async () => {
	const screen = await openGeneratedKeys(smallCount);
	screen.press('f');
	await screen.waitFor('300,000 keys take 3,300 calls: 9 min at the quota of the service.');
	await screen.waitFor('Fewer keys take less time: choose a prefix, a filter or a selection.');
	screen.press('esc', 'ctrl-c');
	await screen.waitForEnd();
});

test('the list stays in memory and says so if the state directory cannot be written', {
	timeout: 120_000,
}, async () => {
	const screen = await openGeneratedKeys(smallCount, {env: {LEDGE_STATE_DIR: '/dev/null/none'}});
	await expectStaysInMemory(screen, 'The state directory');
});

test.skipIf(process.platform === 'win32')(
	'the rest of the list stays in memory and says so if its file is full',
	{
		timeout: 120_000,
	},
	async () => {
		// `ulimit -f` counts blocks of 512 bytes.
		const limited = ['sh', '-c', 'ulimit -f 1000; exec "$@"', 'sh', process.execPath, program];
		const screen = await openGeneratedKeys(smallCount, {}, options => openProgram(limited, options));
		await expectStaysInMemory(screen, 'The key list cannot be saved');
	},
);

async function expectStaysInMemory(screen: Screen, why: string): Promise<void> {
	screen.press('end');
	await screen.waitFor(`All keys stay in memory, 40 MB per million. ${why}`, patience);
	await screen.waitFor(
		() => screen.selectedRow().text.includes(`user:${lastUser(smallCount)}:settings`),
		patience,
	);
	screen.press('home');
	await screen.waitFor(() => screen.selectedRow().text.includes('asset/00/00000000.json'));
	screen.press('ctrl-c');
	await screen.waitForEnd();
}
