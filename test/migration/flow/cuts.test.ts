import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {makeWorkspace} from '../../kv/support/workspace.ts';
import {isTried} from '../../support/full.ts';
import {createFakeZone, cuts, edited, type FakeZone, foreign} from '../support/fake-zone.ts';
import {
	type AppendCut,
	appendCuts,
	createPerson,
	type Disk,
	inMemory,
	onDisk,
	sentRules,
} from '../support/person.ts';

const paths: readonly MigrationMode[] = ['pending', 'validation'];
const digits = computeFingerprint(edited);

type Run = {
	readonly service: FakeZone;
	readonly confirmations: number;
	readonly appends: number;
	readonly reviewedAt: number;
	readonly state: string;
	readonly failed: unknown;
};

/** A person takes a zone all the way, whatever goes wrong once. */
async function run(
	path: MigrationMode,
	{
		prepare,
		onAppend,
		disk = inMemory(),
	}: {
		prepare?(service: FakeZone): void;
		onAppend?(number: number): AppendCut | undefined;
		readonly disk?: Disk;
	} = {},
): Promise<Run> {
	const service = createFakeZone();
	prepare?.(service);
	const person = createPerson({disk, service, path, onAppend});
	try {
		const failed = await person.finish();
		return {
			service,
			confirmations: person.confirmations(),
			appends: person.appends(),
			reviewedAt: person.reviewedAt(),
			state: person.state(),
			failed,
		};
	} finally {
		await person.close();
	}
}

/** The same end as when nothing goes wrong, with no PUT that nobody confirmed or reviewed. */
function expectSameEnd({service, confirmations, state}: Run, path: MigrationMode): void {
	const {truth, puts} = service;
	expect(state).toBe('complete');
	expect(truth.stage).toBe('complete');
	expect(computeFingerprint({rules: truth.entryPoint?.rules ?? []})).toBe(digits);
	expect(puts.length).toBeLessThanOrEqual(confirmations);
	for (const {body, checked} of puts) {
		expect(body.rules).toEqual(sentRules(edited));
		expect(checked).toBe(true);
	}
	expect(puts.at(-1)?.mode).toBe('pending');
	if (path === 'validation') expect(puts[0]?.mode).toBe('validation');
}

/**
 * The numbers from 1 to the last: all in `npm run test:full`, and of each three following ones one in `npm test`, not
 * the same one for each cut and each path.
 */
const tried = (last: number, path: MigrationMode, cut: number): readonly number[] =>
	Array.from({length: last}, (_none, index) => index + 1).filter(number =>
		isTried(number + cut + paths.indexOf(path)),
	);

describe.each(paths)('a migration through "%s"', path => {
	test('sends one PUT for each confirmation if nothing interferes', async () => {
		const undisturbed = await run(path);
		expectSameEnd(undisturbed, path);
		expect(undisturbed.failed).toBeUndefined();
		expect(undisturbed.service.puts).toHaveLength(path === 'pending' ? 1 : 2);
		expect(undisturbed.confirmations).toBe(undisturbed.service.puts.length);
	});

	test.each(cuts)('ends the same if any one of its calls is cut: %s', async cut => {
		const {service} = await run(path);
		expect(service.calls()).toBeGreaterThan(10);
		for (const cutAt of tried(service.calls(), path, cuts.indexOf(cut))) {
			const disturbed = await run(path, {
				prepare({truth}) {
					truth.onCall = ({number}) => (number === cutAt ? cut : undefined);
				},
			});
			expectSameEnd(disturbed, path);
		}
	});

	test.each(appendCuts)('ends the same if any one of its journal lines is cut: %s', async cut => {
		const {appends} = await run(path);
		expect(appends).toBeGreaterThan(4);
		for (const cutAt of tried(appends, path, appendCuts.indexOf(cut))) {
			using workspace = makeWorkspace();
			const disturbed = await run(path, {
				disk: onDisk(workspace.environment),
				onAppend: number => (number === cutAt ? cut : undefined),
			});
			expectSameEnd(disturbed, path);
		}
	});

	test('sends nothing once someone else has moved the zone on, before any of its calls', async () => {
		const {service} = await run(path);
		const others: readonly ((service: FakeZone) => void)[] = [
			other => other.save(foreign, 'validation'),
			other => other.save(foreign, 'complete'),
			// Somebody edits what is in force, and the stage stays.
			other => other.save(foreign, other.truth.stage),
		];
		for (const move of others)
			for (let movedAt = 1; movedAt <= service.calls(); movedAt++) {
				let putsBefore = Number.NaN;
				const moved = await run(path, {
					prepare(other) {
						other.truth.onCall = ({number, isPut}) => {
							// What happens between the last reading and the PUT cannot be noticed.
							if (number !== movedAt || isPut) return undefined;
							if (other.truth.stage === 'pending' || other.truth.stage === 'complete') return undefined;
							putsBefore = other.puts.length;
							move(other);
							return undefined;
						};
					},
				});
				// What was there before the review was reviewed.
				if (Number.isNaN(putsBefore) || movedAt <= moved.reviewedAt) continue;
				const where = `moved on at call ${movedAt} of ${service.calls()}`;
				expectNothingUnseen(moved, putsBefore, where);
			}
	});

	test('sends nothing once the zone is no longer eligible, before any of its calls', async () => {
		const {service} = await run(path);
		for (let at = 1; at <= service.calls(); at++) {
			const blocked = await run(path, {
				prepare(other) {
					other.truth.onCall = ({number, isPut}) => {
						if (number === at && !isPut) other.truth.compatible = false;
						return undefined;
					};
				},
			});
			expect(blocked.service.puts.filter(({checked}) => !checked)).toEqual([]);
		}
	});
});

/** No PUT followed what someone else did, unless it was there already when the zone was first read and reviewed. */
function expectNothingUnseen({service, state, failed}: Run, putsBefore: number, where: string): void {
	if (service.puts.length > putsBefore) {
		throw new Error(`${where}: ${service.puts.length - putsBefore} PUT sent; ${state}; ${String(failed)}`);
	}
	expect(['moved on', 'complete', 'reviewed', 'validating unreviewed'], where).toContain(state);
}
