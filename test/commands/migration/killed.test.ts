import type {ChildProcess} from 'node:child_process';
import {expect, test} from 'vitest';
import {isSampled} from '../../support/full.ts';
import type {EndedRun} from '../../support/ledge.ts';
import {type CallPoint, createMigratingZone, isPut, type MigratingZone} from '../../support/migration.ts';

/** What is disturbed: a direct deployment, a validation, or the deployment that ends a validation. */
type Path = 'deploy' | 'validate' | 'finish';
const paths: readonly Path[] = ['deploy', 'validate', 'finish'];
const puts: Readonly<Record<Path, readonly string[]>> = {
	deploy: ['PUT pending'],
	validate: ['PUT validation'],
	finish: ['PUT validation', 'PUT pending'],
};
const formatResult = (ended: EndedRun) => `${ended.code}: ${ended.stderr}`;
const parseState = ({stdout}: EndedRun) => JSON.parse(stdout).state;
const parseError = ({stderr}: EndedRun) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

/** Several run at once here, so calls get more time than in other tests. */
const env = {LEDGE_TIME_SCALE: '0.02'};

async function createZone(path: Path): Promise<MigratingZone> {
	const zone = await createMigratingZone({plan: 'enterprise'});
	if (path === 'finish') expect((await send(zone, 'validate')).code).toBe(0);
	return zone;
}

const send = (zone: MigratingZone, path: Path, more: Parameters<MigratingZone['send']>[1] = {}) =>
	zone.send(path === 'validate' ? 'validate' : 'deploy', {...more, env});

const resume = (zone: MigratingZone, ...words: readonly string[]) =>
	zone.run(['resume', ...words, '--json'], {env});

/** Returns the final state of a zone after an undisturbed run. */
async function runUndisturbed(path: Path) {
	const zone = await createZone(path);
	const ended = await send(zone, path);
	expect(ended.code, formatResult(ended)).toBe(0);
	return zone.readFinalState();
}

/** Starts the command, and ends its process with a signal at a point. */
async function runAndKill(
	zone: MigratingZone,
	path: Path,
	signal: NodeJS.Signals,
	point: Pick<CallPoint, 'is' | 'when'>,
) {
	let child: ChildProcess | undefined;
	zone.onCall({
		...point,
		does: () => {
			child?.kill(signal);
			return 'hold';
		},
	});
	const ended = await send(zone, path, {
		onStart: one => {
			child = one;
		},
	});
	expect(ended.code, formatResult(ended)).not.toBe(0);
}

/** Continues as the messages of ledge say, confirming again if it asks for that. */
async function continueAsAdvised(zone: MigratingZone, path: Path): Promise<EndedRun> {
	let last = await resume(zone, '--confirm', zone.name);
	for (let attempt = 0; last.code !== 0 && attempt < 2; attempt++) {
		const {code} = parseError(last);
		// Nothing started or reviewed: starts again. Otherwise a PUT waits for a confirmation.
		if (code === 'not_found' || code === 'unreviewed') last = await send(zone, path, {words: ['--json']});
		else if (code === 'unconfirmed') last = await resume(zone, '--confirm', zone.name);
		else break;
	}
	// Killed before the deployment started: the zone is still in validation, which is no failure.
	const isStillValidating = path === 'finish' && last.code === 0 && parseState(last) === 'validating';
	return isStillValidating ? send(zone, path, {words: ['--json']}) : last;
}

/** Continues, and expects the same end as without a disturbance, and no additional PUT. */
async function expectSameEnd(zone: MigratingZone, path: Path, end: unknown, what: string): Promise<void> {
	const last = await continueAsAdvised(zone, path);
	expect(last.code, `${what}: ${formatResult(last)}`).toBe(0);
	expect(await zone.readFinalState(), what).toEqual(end);
	expect(zone.writes(), what).toEqual(puts[path]);
}

/** Works on all items, four at once, because ledge mostly waits while it looks for a lost PUT. */
async function runFourAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
	const pendingItems = [...items];
	const runWorker = async () => {
		for (let item = pendingItems.shift(); item !== undefined; item = pendingItems.shift()) await work(item);
	};
	await Promise.all([runWorker(), runWorker(), runWorker(), runWorker()]);
}

/** Matches a GET with this path ending, before the PUT or after it. */
function matchRead(isAfterPut: boolean, pathEnding: string): CallPoint['is'] {
	let isSent = false;
	return call => {
		isSent ||= isPut(call);
		return call.method === 'GET' && isSent === isAfterPut && call.path.endsWith(pathEnding);
	};
}

const moments: Readonly<Record<string, () => CallPoint['is']>> = {
	'its first call': () => matchRead(false, ''),
	'the reading before its PUT': () => matchRead(false, '/waf_migration/status'),
	'the reading behind its PUT': () => matchRead(true, '/waf_migration/status'),
	'the verification': () => matchRead(true, '/entrypoint'),
};

const signals = ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const;

// test/migration/flow/cuts.test.ts cuts at every call and every journal line, in one process.
test.each(paths)('%s, killed before or after its PUT, resumes to the same end', async path => {
	const end = await runUndisturbed(path);
	const cases = Object.entries(moments).map(([what, is], index) => ({
		what,
		is,
		at: index + paths.indexOf(path),
	}));
	await runFourAtOnce(
		cases.filter(({at}) => isSampled(at)),
		async ({what, is, at}) => {
			const zone = await createZone(path);
			const signal = signals[at % signals.length] ?? 'SIGKILL';
			await runAndKill(zone, path, signal, {when: 'before', is: is()});
			await expectSameEnd(zone, path, end, `${signal} at ${what}`);
		},
	);
}, 120_000);

test('a PUT interrupted by the end of ledge is never sent again automatically', async () => {
	const cases = (['before', 'after'] as const).flatMap(when =>
		paths.map((path, index) => ({path, when, signal: signals[index] ?? 'SIGKILL'})),
	);
	await runFourAtOnce(cases, async ({path, when, signal}) => {
		const zone = await createZone(path);
		await runAndKill(zone, path, signal, {when, is: isPut});
		const resumed = await resume(zone);
		if (when === 'after') expect(resumed.code, formatResult(resumed)).toBe(0);
		else
			expect(parseError(resumed)).toMatchObject({
				code: 'unconfirmed',
				next: expect.stringContaining(zone.id),
			});
		expect(zone.writes(), `${signal} ${when} its PUT`).toEqual(
			when === 'after' ? puts[path] : puts[path].slice(0, -1),
		);
	});
}, 120_000);

type Cut = readonly [when: CallPoint['when'], how: 'reset' | 'half' | 'hold', said: string];
const cuts: readonly Cut[] = [
	['before', 'reset', 'reset before accepted by the service'],
	['before', 'hold', 'timed out before accepted by the service'],
	['after', 'half', 'reset during its answer'],
	['after', 'reset', 'reset before its answer'],
	['after', 'hold', 'timed out with its answer lost'],
];

test('a PUT with a cut connection is settled by reading the zone, and reported', async () => {
	const ends = {deploy: await runUndisturbed('deploy'), validate: await runUndisturbed('validate')};
	const cases = cuts.flatMap(cut => (['deploy', 'validate'] as const).map(path => ({path, cut})));
	await runFourAtOnce(
		cases.filter((_, at) => isSampled(at)),
		async ({path, cut: [when, how, description]}) => {
			const what = `${path}, ${description}`;
			const zone = await createZone(path);
			zone.onCall({when, is: isPut, does: () => how});
			const ended = await send(zone, path, {words: ['--json']});
			expect(ended.code, `${what}: ${formatResult(ended)}`).toBe(when === 'after' ? 0 : 1);
			expect(zone.writes(), what).toEqual(when === 'after' ? puts[path] : []);
			if (when === 'before') {
				expect(parseError(ended).next, what).toContain(`resume --confirm ${zone.name}`);
				await expectSameEnd(zone, path, ends[path], what);
			} else expect(await zone.readFinalState(), what).toEqual(ends[path]);
		},
	);
}, 120_000);
