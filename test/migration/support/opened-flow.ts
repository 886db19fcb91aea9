import {expect} from 'vitest';
import {Failure, type FailureCode, isFailure} from '../../../source/failure.ts';
import {createFlow, type MigrationFlow} from '../../../source/migration/flow/flow.ts';
import {createMemoryJournal, type MigrationJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import type {MachineState} from '../../../source/migration/machine/states.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createFakeZone, createReviewBasis, editedProposal, type FakeZone, zone} from './fake-zone.ts';

export const work = {signal: neverAbortedSignal};
export const createConfirmation = () => ({zone: zone.name});
export const minutes = (count: number) => count * 60_000;

export function openTestFlow({
	dryRun = false,
	...more
}: {
	readonly zone?: MigrationZone;
	readonly readOnly?: boolean;
	readonly dryRun?: boolean;
} = {}) {
	const service = createFakeZone({dryRun});
	const savedStates: MachineState[] = [];
	let isDiskFull = false;
	let isBackupLost = false;
	const memory = createMemoryJournal({place: 'simulated', zone});
	const journal: MigrationJournal = {
		...memory,
		get record() {
			return memory.record;
		},
		loadBackup() {
			if (isBackupLost) return undefined;
			return memory.loadBackup();
		},
		async saveRecord(record) {
			if (isDiskFull)
				throw new Failure('file_failed', 'The journal could not be written.', {why: 'The disk is full.'});
			savedStates.push(record.state);
			return memory.saveRecord(record);
		},
	};
	const flow = createFlow({client: service.client, zone, journal, ...more});
	return {
		service,
		flow,
		kept: savedStates,
		loseBackup() {
			isBackupLost = true;
		},
		setDiskFull(isFull: boolean) {
			isDiskFull = isFull;
		},
	};
}

export async function reviewEditedProposal(flow: MigrationFlow, goal: MigrationMode = 'pending') {
	await flow.observe(work);
	await flow.review(editedProposal, createReviewBasis(flow), goal);
}

export async function startValidation({flow}: {readonly flow: MigrationFlow}) {
	await reviewEditedProposal(flow, 'validation');
	await flow.send('validation', createConfirmation(), work);
	await flow.watch(work);
	expect(flow.record.state).toBe('validating');
}

/** Expects a failure with this code, and that nothing is sent. */
export async function expectRefused(
	service: FakeZone,
	promise: Promise<unknown>,
	code: FailureCode,
): Promise<Failure> {
	const putCountBefore = service.puts.length;
	const failure = await failureOf(promise);
	if (!isFailure(failure)) throw failure;
	expect(failure.code).toBe(code);
	expect(service.puts).toHaveLength(putCountBefore);
	return failure;
}
