import type {ChildProcess} from 'node:child_process';
import {expect, test} from 'vitest';
import type {Ended} from '../support/ledge.ts';
import {isPut, type MigratingZone, migratingZone, type Point} from '../support/migration.ts';

/** What is killed: the deployment at once, the validation, or the deployment that ends it. */
type Path = 'deploy' | 'validate' | 'finish';
const paths: readonly Path[] = ['deploy', 'validate', 'finish'];
const puts: Readonly<Record<Path, readonly string[]>> = {
	deploy: ['PUT pending'],
	validate: ['PUT validation'],
	finish: ['PUT validation', 'PUT pending'],
};
const said = (ended: Ended) => `${ended.code}: ${ended.stderr}`;
const stateIn = ({stdout}: Ended) => JSON.parse(stdout).state;
const errorIn = ({stderr}: Ended) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

async function zoneFor(path: Path): Promise<MigratingZone> {
	const zone = await migratingZone({plan: 'enterprise'});
	if (path === 'finish') expect((await zone.send('validate')).code).toBe(0);
	zone.count();
	return zone;
}

const send = (zone: MigratingZone, path: Path, more: Parameters<MigratingZone['send']>[1] = {}) =>
	zone.send(path === 'validate' ? 'validate' : 'deploy', more);

/** A run that nobody disturbs: how many calls it makes, which of them is the PUT, and what the zone then is. */
async function undisturbed(path: Path) {
	const zone = await zoneFor(path);
	const before = zone.calls().length;
	const ended = await send(zone, path);
	expect(ended.code, said(ended)).toBe(0);
	const put = zone.calls().slice(before).findIndex(isPut) + 1;
	return {calls: zone.count(), put, end: await zone.end()};
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
	expect(ended.code, said(ended)).not.toBe(0);
}

/** Goes on as the messages of ledge say, confirming anew where it asks for that. */
async function goneOn(zone: MigratingZone, path: Path): Promise<Ended> {
	let last = await zone.run(['resume', '--confirm', zone.name, '--json']);
	for (let tries = 0; last.code !== 0 && tries < 2; tries++) {
		const {code} = errorIn(last);
		// Nothing was begun, or nothing reviewed: it begins anew. Else a PUT is still to go, and wants to be confirmed.
		if (code === 'not_found' || code === 'unreviewed') last = await send(zone, path, {words: ['--json']});
		else if (code === 'unconfirmed') last = await zone.run(['resume', '--confirm', zone.name, '--json']);
		else break;
	}
	// Killed before the end of validation was begun: it is still on, which is no failure.
	const isStillValidating = path === 'finish' && last.code === 0 && stateIn(last) === 'validating';
	return isStillValidating ? send(zone, path, {words: ['--json']}) : last;
}

/** Work of which only two go on at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
	const left = [...items];
	const one = async () => {
		for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
	};
	await Promise.all([one(), one()]);
}

const signals = ['SIGKILL', 'SIGTERM', 'SIGHUP'] as const;

test.each(paths)('%s, killed at any call, is resumed to the same end with a single PUT', async path => {
	const {calls, put, end} = await undisturbed(path);
	// What is read before anything is sent is the same in each path: there one of them tells.
	const first = path === 'deploy' ? 1 : put - 4;
	const points = Array.from({length: calls - first + 1}, (_none, index) => first + index);
	expect(points.length).toBeGreaterThanOrEqual(8);
	await each(points, async number => {
		const zone = await zoneFor(path);
		const signal = signals[(number + paths.indexOf(path)) % 3] ?? 'SIGKILL';
		await killed(zone, path, signal, {when: 'before', is: call => call.number === number});
		const last = await goneOn(zone, path);
		expect(last.code, `${signal} at call ${number}: ${said(last)}`).toBe(0);
		expect(await zone.end(), `${signal} at call ${number}`).toEqual(end);
		expect(zone.writes(), `${signal} at call ${number}`).toEqual(puts[path]);
	});
}, 120_000);

test.each(signals)('a PUT during which %s comes is never sent again by itself', async signal => {
	await each(['before', 'after'] as const, async when => {
		const zone = await zoneFor('deploy');
		await killed(zone, 'deploy', signal, {when, is: isPut});
		const resumed = await zone.run(['resume', '--json']);
		if (when === 'after') expect(resumed.code, said(resumed)).toBe(0);
		else
			expect(errorIn(resumed)).toMatchObject({code: 'unconfirmed', next: expect.stringContaining(zone.id)});
		expect(zone.writes()).toEqual(when === 'after' ? ['PUT pending'] : []);
	});
}, 60_000);

test.each([
	'before',
	'after',
] as const)('a connection cut %s the PUT is settled by reading, and told', async when => {
	const zone = await zoneFor('deploy');
	zone.at({when, is: isPut, does: () => 'cut'});
	const ended = await send(zone, 'deploy', {words: ['--json']});
	expect(ended.code, said(ended)).toBe(when === 'after' ? 0 : 1);
	expect(zone.writes()).toEqual(when === 'after' ? ['PUT pending'] : []);
	if (when === 'before') expect(errorIn(ended).next).toContain(`resume --confirm ${zone.name}`);
});
