import type {Mode} from '../../migration/machine/stage.ts';
import {isAtWork, isSendable} from '../../migration/machine/states.ts';
import {next} from '../../migration/machine/transitions.ts';
import type {MigrationContext} from './context.ts';
import {migrationFormId} from './form.ts';
import {migrationLeftSentence} from './leaving.ts';
import {toStep, unseen} from './moving.ts';
import {proposesOtherwise, readZone, unknownState} from './reading.ts';
import {isResumed, type MigrationState, type MigrationStep, stepOf} from './state.ts';

/** What of the migration reads and waits: each drives the flow, and shows where that stands then. */
export type MigrationDriving = {
	/** Reads the zone anew, and goes to where the migration then stands. */
	readMigration(): Promise<void>;
	/** Goes on from what the journal says: looks for a lost answer, watches, verifies, or reads the zone. */
	resumeMigration(): Promise<void>;
	/** A person has seen what someone else did. */
	takeOverMigration(): Promise<void>;
	/** Goes to where the machine stands, and on with what needs nobody there. */
	settleMigration(): Promise<void>;
	verifyMigration(): Promise<void>;
};

export function createMigrationDriving(context: MigrationContext): MigrationDriving {
	const {get, doing, go, opened} = context;
	const inFront = (): boolean => get().stack.at(-1) === 'migration';

	/** Goes to where the machine stands, and on with what needs nobody there. */
	async function settle(): Promise<void> {
		const open = opened();
		const {migration, leaving} = get();
		if (!open || migration?.id !== open.id) return;
		const {record} = open.flow;
		go(stepOf(record), {record});
		if (!inFront()) {
			const said = migrationLeftSentence({...migration, record});
			// Why the last thing did not come to its end is said already.
			if (said !== undefined && !leaving && !migration.failure) get().say(said);
			return get().closeMigration();
		}
		if (isAtWork(record.state)) return watch();
		if (record.state === 'complete') return verify();
		if (record.state === 'blocked') {
			// What stands against it came behind the last reading.
			await read();
			return migration.failure && get().fail(migration.failure);
		}
		// One that was taken up at its PUT was not read yet.
		if (get().migration?.configuration === undefined && isSendable(record.state)) return read();
	}

	async function read(): Promise<void> {
		const {migration: begun} = get();
		const before = opened()?.flow.record.state;
		const isDone = await doing(
			{
				label: `reading ${get().migration?.zone.name}`,
				kind: 'read',
				phase: {name: 'reading', what: 'the zone'},
			},
			async ({flow, client, place}, work) => {
				const found = await readZone(flow, client, place, {
					...work,
					onRead: (what, objects) => work.tell({name: 'reading', what, objects}),
				});
				const {record} = flow;
				const unknown = unknownState(record);
				const otherwise = proposesOtherwise(record, found.proposed);
				// What is sent after a doubt is confirmed anew; a zone that someone took on stands where it is.
				const step: MigrationStep =
					before === 'not taken' && record.state === 'reviewed'
						? 'confirm'
						: otherwise
							? 'review'
							: (begun && isResumed(begun)) || record.seen?.stage !== 'previous'
								? stepOf(record)
								: 'eligibility';
				const {snapshot} = found;
				if (step === 'review' && snapshot) await flow.backUp(work, snapshot);
				const {migration} = get();
				// What was edited is offered again once this is shown.
				if (migration) get().releaseDraft(migrationFormId(migration));
				return {
					...found,
					seen: unseen,
					edits: [],
					unfinished: undefined,
					left: undefined,
					rehearsal: undefined,
					goal: goalOf(flow.record.goal, migration, record.seen?.stage === 'validation'),
					...toStep(step),
					...(otherwise && {failure: otherwise}),
					...(unknown !== undefined && {record}),
				};
			},
		);
		const {state} = opened()?.flow.record ?? {};
		if (!isDone) return;
		if (state && next(state, 'review') !== undefined) offerEdits();
		if (state === 'complete') return verify();
		if (state && isAtWork(state)) return watch();
	}

	/** Asks about edits that were kept of this zone. */
	function offerEdits(): void {
		const {migration, dialog} = get();
		if (!migration?.configuration || !inFront() || dialog) return;
		get().offerDraftsOf({kind: 'migration', zone: migration.zone.id}, () => {});
	}

	async function watch(): Promise<void> {
		const at = context.ports.now();
		const isDone = await doing(
			{
				label: 'watching the migration',
				kind: 'background',
				phase: {name: 'watching'},
				step: 'watch',
				watched: {since: at, at},
			},
			async ({flow}, work) => {
				await flow.watch(work);
				return {};
			},
		);
		const state = opened()?.flow.record.state;
		if (isDone && !(state && isAtWork(state))) await settle();
	}

	async function verify(): Promise<void> {
		await doing(
			{
				label: 'reading what is deployed',
				kind: 'read',
				phase: {name: 'reading', what: 'what is deployed'},
				step: 'done',
			},
			async ({flow, client}, {signal}) => {
				const {verified} = await import('./ending.ts');
				return verified(flow, client, signal);
			},
		);
	}

	return {
		readMigration: read,
		settleMigration: settle,
		verifyMigration: verify,
		async resumeMigration() {
			const {state} = opened()?.flow.record ?? {};
			switch (state) {
				case 'validation in doubt':
				case 'deploy in doubt':
				case 'sending validation':
				case 'sending deploy': {
					const isDone = await doing(
						{
							label: 'looking for what became of the PUT',
							kind: 'read',
							phase: {name: 'reading', what: 'what is there'},
							step: 'deploy',
						},
						async ({flow}, work) => {
							await flow.settle(work);
							return {};
						},
					);
					if (isDone) await settle();
					return;
				}
				case 'finishing':
				case 'starting validation':
					return watch();
				case 'complete':
					return verify();
				default:
					return read();
			}
		},
		async takeOverMigration() {
			if (!context.isLookedAt()) return;
			const isDone = await doing(
				{label: 'reading what is there', kind: 'read', phase: {name: 'reading', what: 'what is there'}},
				async ({flow}, work) => {
					await flow.takeOver(work);
					return {};
				},
			);
			if (isDone) await get().resumeMigration();
		},
	};
}

/** Where it goes: what the journal says, else straight, but for zones that can be validated first. */
function goalOf(kept: Mode | undefined, migration: MigrationState | undefined, isValidating: boolean): Mode {
	if (isValidating) return 'pending';
	return kept ?? (migration?.zone.plan === 'enterprise' ? 'validation' : 'pending');
}
