import type {ChildProcess} from 'node:child_process';
import {expect, test} from 'vitest';
import {isTried} from '../../support/full.ts';
import type {Ended} from '../../support/ledge.ts';
import {isPut, type MigratingZone, migratingZone, type Point} from '../../support/migration.ts';

/** What is disturbed: the deployment at once, the validation, or the deployment that ends it. */
type Path = 'deploy' | 'validate' | 'finish';
const paths: readonly Path[] = ['deploy', 'validate', 'finish'];
const puts: Readonly<Record<Path, readonly string[]>> = {
	deploy: ['PUT pending'],
	validate: ['PUT validation'],
	finish: ['PUT validation', 'PUT pending'],
};
const wayOf = (ended: Ended) => `${ended.code}: ${ended.stderr}`;
const stateIn = ({stdout}: Ended) => JSON.parse(stdout).state;
const errorIn = ({stderr}: Ended) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

/** Several go on at once here: each has more time to be answered than in other tests. */
const env = {LEDGE_TIME_SCALE: '0.02'};

async function zoneFor(path: Path): Promise<MigratingZone> {
	const zone = await migratingZone({plan: 'enterprise'});
	if (path === 'finish') expect((await send(zone, 'validate')).code).toBe(0);
	return zone;
}

const send = (zone: MigratingZone, path: Path, more: Parameters<MigratingZone['send']>[1] = {}) =>
	zone.send(path === 'validate' ? 'validate' : 'deploy', {...more, env});

const resume = (zone: MigratingZone, ...words: readonly string[]) =>
	zone.run(['resume', ...words, '--json'], {env});

/** What the zone is after a run that nobody disturbs. */
async function undisturbed(path: Path) {
	const zone = await zoneFor(path);
	const ended = await send(zone, path);
	expect(ended.code, wayOf(ended)).toBe(0);
	return zone.end();
}

/** Runs it, and ends the process by a signal at a point. */
async function killed(
	zone: MigratingZone,
	path: Path,
	signal: NodeJS.Signals,
	at: Pick<Point, 'is' | 'when'>,
) {
	let child: ChildProcess | undefined;
	zone.at({
		...at,
		does: () => {
			child?.kill(signal);
			return 'hold';
		},
	});
	const ended = await send(zone, path, {
		started: one => {
			child = one;
		},
	});
	expect(ended.code, wayOf(ended)).not.toBe(0);
}

/** Goes on as the messages of ledge say, confirming anew where it asks for that. */
async function goneOn(zone: MigratingZone, path: Path): Promise<Ended> {
	let last = await resume(zone, '--confirm', zone.name);
	for (let tries = 0; last.code !== 0 && tries < 2; tries++) {
		const {code} = errorIn(last);
		// Nothing was begun, or nothing reviewed: it begins anew. Else a PUT is still to go, and wants to be confirmed.
		if (code === 'not_found' || code === 'unreviewed') last = await send(zone, path, {words: ['--json']});
		else if (code === 'unconfirmed') last = await resume(zone, '--confirm', zone.name);
		else break;
	}
	// Killed before the end of validation was begun: it is still on, which is no failure.
	const isStillValidating = path === 'finish' && last.code === 0 && stateIn(last) === 'validating';
	return isStillValidating ? send(zone, path, {words: ['--json']}) : last;
}

/** Goes on to the same end as when nothing disturbs it, with no PUT too many. */
async function expectSameEnd(zone: MigratingZone, path: Path, end: unknown, what: string): Promise<void> {
	const last = await goneOn(zone, path);
	expect(last.code, `${what}: ${wayOf(last)}`).toBe(0);
	expect(await zone.end(), what).toEqual(end);
	expect(zone.writes(), what).toEqual(puts[path]);
}

/** Does all of it, four at once: ledge looks for a lost PUT for a while, which costs nothing but time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
	const left = [...items];
	const one = async () => {
		for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
	};
	await Promise.all([one(), one(), one(), one()]);
}

/** A call that ends a path as asked, before the PUT or behind it. */
function reading(isBehind: boolean, end: string): Point['is'] {
	let isSent = false;
	return call => {
		isSent ||= isPut(call);
		return call.method === 'GET' && isSent === isBehind && call.path.endsWith(end);
	};
}

const moments: Readonly<Record<string, () => Point['is']>> = {
	'its first call': () => reading(false, ''),
	'the reading before its PUT': () => reading(false, '/waf_migration/status'),
	'the reading behind its PUT': () => reading(true, '/waf_migration/status'),
	'the verification': () => reading(true, '/entrypoint'),
};

const signals = ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const;

// That any call and any line of the journal may be cut, test/migration/flow/cuts.test.ts shows in one process.
test.each(paths)('%s, killed during its PUT, resumes to the same end', async path => {
	const end = await undisturbed(path);
	const struck = Object.entries(moments).map(([what, is], index) => ({
		what,
		is,
		at: index + paths.indexOf(path),
	}));
	await each(
		struck.filter(({at}) => isTried(at)),
		async ({what, is, at}) => {
			const zone = await zoneFor(path);
			const signal = signals[at % signals.length] ?? 'SIGKILL';
			await killed(zone, path, signal, {when: 'before', is: is()});
			await expectSameEnd(zone, path, end, `${signal} at ${what}`);
		},
	);
}, 120_000);

test('a PUT interrupted by the end of ledge is never sent again automatically', async () => {
	const struck = (['before', 'after'] as const).flatMap(when =>
		paths.map((path, index) => ({path, when, signal: signals[index] ?? 'SIGKILL'})),
	);
	await each(struck, async ({path, when, signal}) => {
		const zone = await zoneFor(path);
		await killed(zone, path, signal, {when, is: isPut});
		const resumed = await resume(zone);
		if (when === 'after') expect(resumed.code, wayOf(resumed)).toBe(0);
		else
			expect(errorIn(resumed)).toMatchObject({code: 'unconfirmed', next: expect.stringContaining(zone.id)});
		expect(zone.writes(), `${signal} ${when} its PUT`).toEqual(
			when === 'after' ? puts[path] : puts[path].slice(0, -1),
		);
	});
}, 120_000);

type Cut = readonly [when: Point['when'], how: 'reset' | 'half' | 'hold', said: string];
const cuts: readonly Cut[] = [
	['before', 'reset', 'reset before accepted by the service'],
	['before', 'hold', 'timed out before accepted by the service'],
	['after', 'half', 'reset during its answer'],
	['after', 'reset', 'reset before its answer'],
	['after', 'hold', 'timed out with its answer lost'],
];

test('a PUT with a cut connection is settled by reading the zone, and reported', async () => {
	const ends = {deploy: await undisturbed('deploy'), validate: await undisturbed('validate')};
	const struck = cuts.flatMap(cut => (['deploy', 'validate'] as const).map(path => ({path, cut})));
	await each(
		struck.filter((_, at) => isTried(at)),
		async ({path, cut: [when, how, said]}) => {
			const what = `${path}, ${said}`;
			const zone = await zoneFor(path);
			zone.at({when, is: isPut, does: () => how});
			const ended = await send(zone, path, {words: ['--json']});
			expect(ended.code, `${what}: ${wayOf(ended)}`).toBe(when === 'after' ? 0 : 1);
			expect(zone.writes(), what).toEqual(when === 'after' ? puts[path] : []);
			if (when === 'before') {
				expect(errorIn(ended).next, what).toContain(`resume --confirm ${zone.name}`);
				await expectSameEnd(zone, path, ends[path], what);
			} else expect(await zone.end(), what).toEqual(ends[path]);
		},
	);
}, 120_000);
