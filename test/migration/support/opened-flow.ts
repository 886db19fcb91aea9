import {expect} from 'vitest';
import {Failure, type FailureCode, isFailure} from '../../../source/failure.ts';
import {createFlow, type MigrationFlow} from '../../../source/migration/flow/flow.ts';
import {createMemoryJournal, type MigrationJournal} from '../../../source/migration/journal/journal.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import type {MachineState} from '../../../source/migration/machine/states.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {failureOf} from '../../kv/support/workspace.ts';
import {never} from '../../service/scripted-transport.ts';
import {createFakeZone, edited, type FakeZone, shown, zone} from './fake-zone.ts';

export const work = {signal: never};
export const confirmation = () => ({zone: zone.name});
export const minutes = (count: number) => count * 60_000;

export function open({
	dryRun = false,
	...more
}: {
	readonly zone?: MigrationZone;
	readonly readOnly?: boolean;
	readonly dryRun?: boolean;
} = {}) {
	const service = createFakeZone({dryRun});
	const kept: MachineState[] = [];
	let full = false;
	let lost = false;
	const memory = createMemoryJournal({place: 'simulated', zone});
	const journal: MigrationJournal = {
		...memory,
		get record() {
			return memory.record;
		},
		loadBackup() {
			if (lost) return undefined;
			return memory.loadBackup();
		},
		async saveRecord(record) {
			if (full)
				throw new Failure('file_failed', 'The journal could not be written.', {why: 'The disk is full.'});
			kept.push(record.state);
			return memory.saveRecord(record);
		},
	};
	const flow = createFlow({client: service.client, zone, journal, ...more});
	return {
		service,
		flow,
		kept,
		loseBackup() {
			lost = true;
		},
		fill(is: boolean) {
			full = is;
		},
	};
}

export async function reviewed(flow: MigrationFlow, goal: MigrationMode = 'pending') {
	await flow.observe(work);
	await flow.review(edited, shown(flow), goal);
}

export async function validating({flow}: {readonly flow: MigrationFlow}) {
	await reviewed(flow, 'validation');
	await flow.send('validation', confirmation(), work);
	await flow.watch(work);
	expect(flow.record.state).toBe('validating');
}

/** Fails with this code, and nothing is sent. */
export async function expectRefused(
	service: FakeZone,
	promise: Promise<unknown>,
	code: FailureCode,
): Promise<Failure> {
	const puts = service.puts.length;
	const failure = await failureOf(promise);
	if (!isFailure(failure)) throw failure;
	expect(failure.code).toBe(code);
	expect(service.puts).toHaveLength(puts);
	return failure;
}
