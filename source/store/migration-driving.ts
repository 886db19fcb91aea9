import {asFailure} from '../failure.ts';
import {fingerprint} from '../migration/configuration.ts';
import type {Mode} from '../migration/stage.ts';
import {bufferOf, textOf} from '../text/text-buffer.ts';
import type {MigrationDesk} from './migration-desk.ts';
import {migrationLeftSentence} from './migration-leaving.ts';
import {proposesOtherwise, readZone, unknownState} from './migration-reading.ts';
import {
	isReviewed,
	type MigrationState,
	type MigrationStep,
	migrationSteps,
	needsFurtherWord,
	stepOf,
	withoutRulesetsWord,
} from './migration-state.ts';

/** What of the migration reads, writes and waits: each drives the flow, and shows where that stands then. */
export type MigrationDriving = {
	/** Reads the zone anew, and goes to where the migration then stands. */
	readMigration(): Promise<void>;
	/** Goes on from what the journal says: looks for a lost answer, watches, verifies, or reads the zone. */
	resumeMigration(): Promise<void>;
	/** A person has seen what someone else did. */
	takeOverMigration(): Promise<void>;
	/** What stands there was reviewed by a person. */
	reviewMigration(): Promise<void>;
	chooseMigrationPath(goal: Mode): Promise<void>;
	rehearseMigration(): Promise<void>;
	/** Sends what was reviewed, if the name of the zone was typed. */
	confirmMigration(): Promise<void>;
	watchMigration(): Promise<void>;
	verifyMigration(): Promise<void>;
	readyMigration(): Promise<void>;
	/** Deletes an override that stands against the migration; what it was is in the backup. */
	deleteMigrationOverride(id: string): Promise<void>;
};

/** The further one of two steps. */
export const further = (one: MigrationStep, other: MigrationStep): MigrationStep =>
	migrationSteps.indexOf(one) > migrationSteps.indexOf(other) ? one : other;

/** To another step: its list and its text from the beginning, nothing typed. */
export const toStep = (
	{reached}: Pick<MigrationState, 'reached'>,
	step: MigrationStep,
): Pick<MigrationState, 'step' | 'reached' | 'cursor' | 'top' | 'typed' | 'asks'> => ({
	step,
	reached: further(reached, step),
	cursor: 0,
	top: 0,
	...nothingTyped(),
});

export const nothingTyped = (): Pick<MigrationState, 'typed' | 'asks'> => ({
	typed: bufferOf('', {singleLine: true}),
	asks: 'name of the zone',
});

const sendingNow = {
	pending: 'turning the previous version off',
	validation: 'beginning the validation',
} as const;
const deletingNow = 'deleting override';
/** How the work is called that writes to the zone. */
export const migrationWrites: readonly string[] = [...Object.values(sendingNow), deletingNow];

export function createMigrationDriving(desk: MigrationDesk): MigrationDriving {
	const {get, change, doing, opened, ports} = desk;
	const {session} = ports;
	const inFront = (): boolean => get().stack.at(-1) === 'migration';

	const go = (step: MigrationStep, part: Partial<MigrationState> = {}): void => {
		const {migration} = get();
		if (migration) change(migration.id, {...toStep(migration, step), ...part});
	};

	/** Goes to where the machine stands, and on with what needs nobody there. */
	async function settle(): Promise<void> {
		const open = opened();
		const {migration, leaving} = get();
		if (!open || migration?.id !== open.id) return;
		const {record} = open.flow;
		go(stepOf(record), {record, reached: stepOf(record)});
		if (!inFront()) {
			const said = migrationLeftSentence({...migration, record});
			if (said !== undefined && !leaving) get().say(said);
			return get().closeMigration();
		}
		if (record.state === 'finishing' || record.state === 'starting validation') return watch();
		if (record.state === 'complete') return verify();
	}

	async function read(): Promise<void> {
		const isResumed = get().migration?.isResumed === true;
		const before = opened()?.flow.record.state;
		await doing(
			{
				label: `reading ${get().migration?.zone.name}`,
				kind: 'read',
				phase: {name: 'reading', what: 'the zone'},
			},
			async ({id, flow, client, place}, work) => {
				const found = await readZone(flow, client, place, {
					...work,
					onRead: (what, objects) => change(id, {phase: {name: 'reading', what, objects}}),
				});
				const {record} = flow;
				const unknown = unknownState(record);
				const otherwise = proposesOtherwise(record, found.proposed);
				// What is sent after a doubt is confirmed anew; all else begins with what was found.
				const step =
					before === 'not taken' && record.state === 'reviewed'
						? 'confirm'
						: otherwise
							? 'review'
							: isResumed
								? stepOf(record)
								: 'eligibility';
				const {migration} = get();
				return {
					...found,
					edits: [],
					rehearsal: undefined,
					goal: goalOf(flow.record.goal, migration, record.seen?.stage === 'validation'),
					...(migration && toStep({reached: step}, step)),
					...(otherwise && {failure: otherwise}),
					...(unknown !== undefined && {record}),
				};
			},
		);
		if (opened()?.flow.record.state === 'complete') await verify();
	}

	async function watch(): Promise<void> {
		const isDone = await doing(
			{label: 'watching the migration', kind: 'background', phase: {name: 'watching'}},
			async ({flow}, work) => {
				await flow.watch(work);
				return {};
			},
		);
		const state = opened()?.flow.record.state;
		if (isDone && state !== 'finishing' && state !== 'starting validation') await settle();
	}

	async function verify(): Promise<void> {
		go('done');
		await doing(
			{label: 'reading what is deployed', kind: 'read', phase: {name: 'reading', what: 'what is deployed'}},
			async ({flow, client}, {signal}) => {
				const {verified} = await import('./migration-ending.ts');
				return verified(flow, client, signal);
			},
		);
	}

	/** Nothing was sent, and the failure says why: what is asked is asked anew, unless someone else took the zone on. */
	async function notSent(before: MigrationState['record']['state']): Promise<void> {
		const failure = get().migration?.failure;
		go('confirm');
		await doing(
			{label: 'reading what is there', kind: 'read', phase: {name: 'reading', what: 'what is there'}},
			async ({flow}, work) => {
				await flow.look(work);
				return failure ? {failure} : {};
			},
		);
		if (opened()?.flow.record.state !== before) await settle();
	}

	/** Whether ledge is read-only, which is said. */
	function refusal(what: string): boolean {
		try {
			session.refuseWhenReadOnly(what);
			return false;
		} catch (error) {
			get().fail(asFailure(error));
			return true;
		}
	}

	return {
		readMigration: read,
		async resumeMigration() {
			const {state} = opened()?.flow.record ?? {};
			switch (state) {
				case 'validation in doubt':
				case 'deploy in doubt':
				case 'sending validation':
				case 'sending deploy': {
					go('deploy');
					const isDone = await doing(
						{
							label: 'looking for what became of the PUT',
							kind: 'read',
							phase: {name: 'reading', what: 'what is there'},
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
					go('watch');
					return watch();
				case 'complete':
					return verify();
				default:
					return read();
			}
		},
		async takeOverMigration() {
			if (!desk.isLookedAt()) return;
			const isDone = await doing(
				{label: 'reading what is there', kind: 'read', phase: {name: 'reading', what: 'what is there'}},
				async ({flow}, work) => {
					await flow.takeOver(work);
					return {};
				},
			);
			if (isDone) await get().resumeMigration();
		},
		async reviewMigration() {
			const {migration} = get();
			const open = opened();
			if (!migration || !open || migration.phase.name !== 'asking') return;
			const {configuration, proposed, findings, goal, record, zone} = migration;
			if (!configuration) return get().warn('There is no configuration that could be reviewed.');
			const wrong = findings.find(({severity}) => severity === 'error');
			if (wrong) return get().warn(`It cannot be sent like this: ${wrong.sentence}`);
			if (!desk.isLookedAt()) return;
			if (record.state === 'blocked') return get().warn(`${zone.name} is not eligible: see the blockers.`);
			try {
				await open.flow.review(configuration, proposed, goal);
			} catch (error) {
				const failure = asFailure(error);
				change(migration.id, {failure, record: open.flow.record});
				return get().fail(failure);
			}
			const step = record.seen?.stage === 'validation' ? 'watch' : 'path';
			go(step, {record: open.flow.record, failure: undefined, rehearsal: undefined});
		},
		async chooseMigrationPath(goal) {
			const {migration} = get();
			const open = opened();
			if (!migration?.configuration || !open) return;
			const {configuration, proposed, record} = migration;
			try {
				// The goal is in the journal, beside what was reviewed.
				if (record.goal !== goal && isReviewed(migration))
					await open.flow.review(configuration, proposed, goal);
			} catch (error) {
				return get().fail(asFailure(error));
			}
			go('rehearse', {goal, record: open.flow.record, ...(record.goal !== goal && {rehearsal: undefined})});
		},
		async rehearseMigration() {
			const {migration} = get();
			if (!migration?.configuration || !migration.snapshot)
				return get().warn('There is nothing to rehearse with: read the zone first.');
			const {configuration, snapshot, goal} = migration;
			await doing(
				{label: 'rehearsing', kind: 'read', phase: {name: 'rehearsing'}},
				async ({id, flow: {zone}}, {signal}) => {
					const {rehearse} = await import('../migration/rehearsal.ts');
					const rehearsal = await rehearse(
						{zone, snapshot, configuration, goal, connect: session.startRehearsal},
						{signal, onStep: step => change(id, {phase: {name: 'rehearsing', step}})},
					);
					return {rehearsal, top: 0, cursor: 0};
				},
			);
		},
		async confirmMigration() {
			const {migration} = get();
			if (migration?.step !== 'confirm' || migration.phase.name !== 'asking') return;
			const {id, zone, asks, typed, goal, record} = migration;
			if (!desk.isLookedAt()) return;
			if (!isReviewed(migration)) {
				get().warn('What stands there was not reviewed: review it first.');
				return go('review');
			}
			const expected = asks === 'name of the zone' ? zone.name : withoutRulesetsWord;
			if (textOf(typed) !== expected)
				return get().warn(`That is not the ${asks}. Type ${expected}, as it stands there.`);
			if (asks === 'name of the zone' && needsFurtherWord(migration))
				return change(id, {typed: bufferOf('', {singleLine: true}), asks: 'further word'});
			const mode = record.state === 'ready to update' ? 'pending' : goal;
			const label = sendingNow[mode];
			if (refusal(label)) return;
			go('deploy');
			await doing({label, kind: 'write', phase: {name: 'sending', mode}}, async ({flow}, work) => {
				await session.auditedWrites(zone.label, steps =>
					flow.send(
						mode,
						{zone: zone.name, ...(needsFurtherWord(migration) && {withoutRulesets: true})},
						{...work, ...steps},
					),
				);
				return {};
			});
			const state = opened()?.flow.record.state;
			const isStanding = state === 'reviewed' || state === 'validating' || state === 'ready to update';
			if (isStanding && opened()?.flow.record.put === record.put) return notSent(state);
			await settle();
		},
		watchMigration: watch,
		verifyMigration: verify,
		async readyMigration() {
			const open = opened();
			const {migration} = get();
			if (!open || !migration || !desk.isLookedAt()) return;
			try {
				await open.flow.ready();
			} catch (error) {
				return get().fail(asFailure(error));
			}
			change(migration.id, {record: open.flow.record, goal: 'pending', cursor: 0});
		},
		async deleteMigrationOverride(overrideId) {
			if (refusal('deleting an override')) return;
			await doing(
				{label: `${deletingNow} ${overrideId}`, kind: 'write', phase: {name: 'deleting', id: overrideId}},
				async ({flow, client}, work) => {
					const {deleteOverride} = await import('../migration/overrides.ts');
					const {zone, journal} = flow;
					const holds = () => journal.snapshot()?.overrides.some(({id}) => id === overrideId) === true;
					if (!holds()) await flow.backUp(work);
					await session.auditedWrites(zone.label, steps =>
						deleteOverride(client, zone, overrideId, journal.snapshot(), {...work, ...steps}),
					);
					return {};
				},
			);
			const {migration} = get();
			if (migration && migration.failure === undefined) await reread('blockers');
		},
	};

	/** Reads the zone anew and stays where a person was. */
	async function reread(step: MigrationStep): Promise<void> {
		await read();
		const {migration} = get();
		if (migration && migration.failure === undefined && migration.step === 'eligibility') go(step);
	}
}

/** Where it goes: what the journal says, else straight, but for zones that can be validated first. */
function goalOf(kept: Mode | undefined, migration: MigrationState | undefined, isValidating: boolean): Mode {
	if (isValidating) return 'pending';
	return kept ?? (migration?.zone.plan === 'enterprise' ? 'validation' : 'pending');
}

/** Whether two configurations are the same to the service. */
export const isSame = (
	one: MigrationState['configuration'],
	other: MigrationState['configuration'],
): boolean => (one && fingerprint(one)) === (other && fingerprint(other));
