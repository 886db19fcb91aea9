import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import {makeWorkspace} from '../../kv/support/workspace.ts';
import {isSampled} from '../../support/full.ts';
import {
	callCuts,
	createFakeZone,
	editedProposal,
	type FakeZone,
	foreignConfiguration,
} from '../support/fake-zone.ts';
import {
	type AppendCut,
	appendCuts,
	buildSentRules,
	createDisk,
	createMemoryDisk,
	createPerson,
	type Disk,
} from '../support/person.ts';

const startModes: readonly MigrationMode[] = ['pending', 'validation'];
const editedFingerprint = computeFingerprint(editedProposal);

type Run = {
	readonly service: FakeZone;
	readonly confirmationCount: number;
	readonly appendCount: number;
	readonly callsAtReview: number;
	readonly state: string;
	readonly lastFailure: unknown;
};

/** Runs a whole migration, whatever goes wrong once. */
async function run(
	startMode: MigrationMode,
	{
		prepare,
		onAppend,
		disk = createMemoryDisk(),
	}: {
		prepare?(service: FakeZone): void;
		onAppend?(number: number): AppendCut | undefined;
		readonly disk?: Disk;
	} = {},
): Promise<Run> {
	const service = createFakeZone();
	prepare?.(service);
	const person = createPerson({disk, service, startMode, onAppend});
	try {
		const lastFailure = await person.finish();
		return {
			service,
			confirmationCount: person.countConfirmations(),
			appendCount: person.countAppends(),
			callsAtReview: person.countCallsAtReview(),
			state: person.state(),
			lastFailure,
		};
	} finally {
		await person.close();
	}
}

/** Expects the same end as without a cut, and only PUTs that were confirmed and reviewed. */
function expectSameEnd({service, confirmationCount, state}: Run, startMode: MigrationMode): void {
	const {truth, puts} = service;
	expect(state).toBe('complete');
	expect(truth.stage).toBe('complete');
	expect(computeFingerprint({rules: truth.entryPoint?.rules ?? []})).toBe(editedFingerprint);
	expect(puts.length).toBeLessThanOrEqual(confirmationCount);
	for (const {body, checked} of puts) {
		expect(body.rules).toEqual(buildSentRules(editedProposal));
		expect(checked).toBe(true);
	}
	expect(puts.at(-1)?.mode).toBe('pending');
	if (startMode === 'validation') expect(puts[0]?.mode).toBe('validation');
}

/**
 * The numbers from 1 to the last: all in `npm run test:full`, every eighth in `npm test`, not the same ones
 * for each cut and each mode.
 */
const sampleNumbers = (lastNumber: number, startMode: MigrationMode, cutIndex: number): readonly number[] =>
	Array.from({length: lastNumber}, (_none, index) => index + 1).filter(number =>
		isSampled(number + cutIndex + startModes.indexOf(startMode)),
	);

describe.each(startModes)('a migration through "%s"', startMode => {
	test('sends one PUT for each confirmation if nothing interferes', async () => {
		const undisturbed = await run(startMode);
		expectSameEnd(undisturbed, startMode);
		expect(undisturbed.lastFailure).toBeUndefined();
		expect(undisturbed.service.puts).toHaveLength(startMode === 'pending' ? 1 : 2);
		expect(undisturbed.confirmationCount).toBe(undisturbed.service.puts.length);
	});

	test.each(callCuts)('ends the same if any one of its calls is cut: %s', async cut => {
		const {service} = await run(startMode);
		expect(service.countCalls()).toBeGreaterThan(10);
		for (const cutAt of sampleNumbers(service.countCalls(), startMode, callCuts.indexOf(cut))) {
			const disturbed = await run(startMode, {
				prepare({truth}) {
					truth.onCall = ({number}) => (number === cutAt ? cut : undefined);
				},
			});
			expectSameEnd(disturbed, startMode);
		}
	});

	test.each(appendCuts)('ends the same if any one of its journal lines is cut: %s', async cut => {
		const {appendCount} = await run(startMode);
		expect(appendCount).toBeGreaterThan(4);
		for (const cutAt of sampleNumbers(appendCount, startMode, appendCuts.indexOf(cut))) {
			using workspace = makeWorkspace();
			const disturbed = await run(startMode, {
				disk: createDisk(workspace.environment),
				onAppend: number => (number === cutAt ? cut : undefined),
			});
			expectSameEnd(disturbed, startMode);
		}
	});

	test('sends nothing after someone else moves the zone on, at whichever call', async () => {
		const {service} = await run(startMode);
		const otherChanges: readonly ((service: FakeZone) => void)[] = [
			fakeZone => fakeZone.save(foreignConfiguration, 'validation'),
			fakeZone => fakeZone.save(foreignConfiguration, 'complete'),
			// Someone edits the active rules, and the stage stays the same.
			fakeZone => fakeZone.save(foreignConfiguration, fakeZone.truth.stage),
		];
		for (const applyChange of otherChanges)
			for (let movedAt = 1; movedAt <= service.countCalls(); movedAt++) {
				let putsBefore = Number.NaN;
				const movedRun = await run(startMode, {
					prepare(fakeZone) {
						fakeZone.truth.onCall = ({number, isPut}) => {
							// A change between the last reading and the PUT cannot be noticed.
							if (number !== movedAt || isPut) return undefined;
							if (fakeZone.truth.stage === 'pending' || fakeZone.truth.stage === 'complete') return undefined;
							putsBefore = fakeZone.puts.length;
							applyChange(fakeZone);
							return undefined;
						};
					},
				});
				// A change made before the review was reviewed.
				if (Number.isNaN(putsBefore) || movedAt <= movedRun.callsAtReview) continue;
				const description = `moved on at call ${movedAt} of ${service.countCalls()}`;
				expectNoUnseenPut(movedRun, putsBefore, description);
			}
	});

	test('sends nothing after the zone becomes ineligible, at whichever call', async () => {
		const {service} = await run(startMode);
		for (let blockedAt = 1; blockedAt <= service.countCalls(); blockedAt++) {
			const blocked = await run(startMode, {
				prepare(fakeZone) {
					fakeZone.truth.onCall = ({number, isPut}) => {
						if (number === blockedAt && !isPut) fakeZone.truth.compatible = false;
						return undefined;
					};
				},
			});
			expect(blocked.service.puts.filter(({checked}) => !checked)).toEqual([]);
		}
	});
});

/** Expects no PUT after a change by someone else that was not reviewed. */
function expectNoUnseenPut(
	{service, state, lastFailure}: Run,
	putsBefore: number,
	description: string,
): void {
	if (service.puts.length > putsBefore) {
		throw new Error(
			`${description}: ${service.puts.length - putsBefore} PUT sent; ${state}; ${String(lastFailure)}`,
		);
	}
	expect(['moved on', 'complete', 'reviewed', 'validating unreviewed'], description).toContain(state);
}
