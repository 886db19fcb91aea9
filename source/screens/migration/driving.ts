import {isFailure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {
	hasMovedOn,
	isAtWork,
	isComplete,
	isIneligible,
	isNotTaken,
	isReviewedUnsent,
	isSendable,
	isValidating,
	type MigrationState as MachineState,
	stateTable,
} from '../../migration/machine/states.ts';
import {next} from '../../migration/machine/transitions.ts';
import {lostAnswer, type MigrationController} from './controller.ts';
import {readEvents} from './events.ts';
import {migrationFormId} from './form.ts';
import {migrationLeftSentence} from './leaving.ts';
import {proposesOtherwise, readZone, unknownState} from './reading.ts';
import {isResumed, type MigrationState, type MigrationStep, stepOf, toStep, unseen} from './state.ts';

/** The phase and label while the current state is read. */
export const lookPhase = {
	label: 'reading the current state',
	kind: 'read',
	phase: {name: 'reading', what: 'the current state'},
} as const;

const stateIn = ({opened}: MigrationController): MachineState | undefined => opened()?.flow.record.state;

const isInFront = ({get}: MigrationController): boolean => get().navigation.stack.at(-1) === 'migration';

/** Goes to the step of the machine's state, and runs what needs no user. */
export async function settle(controller: MigrationController): Promise<void> {
	const {get, go, opened} = controller;
	const open = opened();
	const migration = get().migration.data;
	const {leaving} = get().bulk;
	if (!open || migration?.id !== open.id) return;
	const {record} = open.flow;
	go(stepOf(record), {record});
	if (!isInFront(controller)) {
		const sentence = migrationLeftSentence({...migration, record});
		// The failure is on the screen already.
		if (sentence !== undefined && !leaving && !migration.failure) get().messages.say(sentence);
		void controller.close();
		return;
	}
	if (isAtWork(record.state)) return watch(controller);
	if (isComplete(record.state)) return verify(controller);
	if (hasMovedOn(record.state)) return readDrift(controller);
	if (isIneligible(record.state)) {
		// Its blockers are newer than the last reading.
		await read(controller);
		return migration.failure && get().messages.fail(migration.failure);
	}
	// A migration resumed at its PUT was not read yet.
	if (get().migration.data?.configuration === undefined && isSendable(record.state)) return read(controller);
	void readEvents(controller, 'now');
}

/** Reads the zone and goes to the resulting step. */
export async function read(controller: MigrationController): Promise<void> {
	const {get, doing} = controller;
	const begun = get().migration.data;
	const before = stateIn(controller);
	const isDone = await doing(
		{label: `reading ${begun?.zone.name}`, kind: 'read', phase: {name: 'reading', what: 'the zone'}},
		async ({flow, client, place}, work) => {
			const found = await readZone(flow, client, place, {
				...work,
				onRead: (what, objects) => work.tell({name: 'reading', what, objects}),
			});
			const {record} = flow;
			const otherwise = proposesOtherwise(record, found);
			const step = stepAfterReading(before, flow.record, begun, otherwise !== undefined);
			const {snapshot} = found;
			if (step === 'review' && snapshot) await flow.backUp(work, snapshot);
			const migration = get().migration.data;
			// Edits are offered again after this.
			if (migration) get().drafts.release(migrationFormId(migration));
			return {
				...found,
				drift: await findDrift(flow, work),
				seen: unseen,
				edits: [],
				unfinished: undefined,
				left: undefined,
				rehearsal: undefined,
				goal: goalOf(flow.record.goal, migration, record.seen?.stage === 'validation'),
				...toStep(step),
				...(otherwise && {failure: otherwise}),
				...(unknownState(record) !== undefined && {record}),
			};
		},
	);
	const state = stateIn(controller);
	if (!isDone || !state) return;
	void readEvents(controller, 'now');
	if (next(state, 'review') !== undefined) offerEdits(controller);
	if (isComplete(state)) return verify(controller);
	if (isAtWork(state)) return watch(controller);
}

function stepAfterReading(
	before: MachineState | undefined,
	record: MigrationState['record'],
	begun: MigrationState | undefined,
	isOtherwise: boolean,
): MigrationStep {
	// After an unknown outcome, sending needs a new confirmation.
	if (before && isNotTaken(before) && isReviewedUnsent(record.state)) return 'confirm';
	if (isOtherwise) return 'review';
	return (begun && isResumed(begun)) || record.seen?.stage !== 'previous' ? stepOf(record) : 'eligibility';
}

/** Offers kept edits of this zone. */
function offerEdits(controller: MigrationController): void {
	const {get} = controller;
	const migration = get().migration.data;
	const dialog = get().dialog.current;
	if (!migration?.configuration || !isInFront(controller) || dialog) return;
	get().drafts.offerAllOf({kind: 'migration', zone: migration.zone.id}, () => {});
}

async function watch(controller: MigrationController): Promise<void> {
	const at = controller.ports.now();
	const isDone = await controller.doing(
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
	const state = stateIn(controller);
	if (isDone && !(state && isAtWork(state))) await settle(controller);
}

export async function verify(controller: MigrationController): Promise<void> {
	await controller.doing(
		{
			label: 'reading what is deployed',
			kind: 'read',
			phase: {name: 'reading', what: 'what is deployed'},
			step: 'done',
		},
		async ({flow, client}, {signal}) => {
			const {verified} = await import('./verification.ts');
			return verified(flow, client, signal);
		},
	);
	void readEvents(controller, 'now');
}

/** Continues from the state in the journal: settles a lost answer, watches, verifies, or reads the zone. */
export async function resume(controller: MigrationController): Promise<void> {
	const state = stateIn(controller);
	if (state && isComplete(state)) return verify(controller);
	switch (state && stateTable[state].activity) {
		case 'sending':
		case 'in doubt': {
			const isDone = await controller.doing(
				{...lookPhase, label: lostAnswer, step: 'deploy'},
				async ({flow}, work) => {
					await flow.settle(work);
					return {};
				},
			);
			return isDone ? settle(controller) : undefined;
		}
		case 'at work':
			return watch(controller);
		default:
			return read(controller);
	}
}

/** Takes over what someone else changed, unless it changed again after it was shown. */
export async function takeOver(controller: MigrationController): Promise<void> {
	const {drift} = controller.get().migration.data ?? {};
	if (!drift) return readDrift(controller);
	if (!controller.wasVisibleLongEnough()) return;
	const isDone = await controller.doing(lookPhase, async ({flow}, work) => {
		await flow.takeOver(work, drift);
		return {drift: undefined};
	});
	if (isDone) return resume(controller);
	if (isFailure(controller.get().migration.data?.failure, 'changed_meanwhile')) await readDrift(controller);
}

/** Reads what others changed since the review; keeps the failure on the screen. */
async function readDrift(controller: MigrationController): Promise<void> {
	const {failure} = controller.get().migration.data ?? {};
	await controller.doing(lookPhase, async ({flow}, work) => ({drift: await findDrift(flow, work), failure}));
}

/** Finds what others changed since the review if the zone was changed elsewhere. */
const findDrift = async (flow: MigrationFlow, work: FlowWork) =>
	hasMovedOn(flow.record.state) ? flow.drift(work) : undefined;

/** Reads the state once; watches it only if the machine waits for it. */
export async function lookAgain(controller: MigrationController): Promise<void> {
	const state = stateIn(controller);
	if (!state || !isValidating(state)) return resume(controller);
	await controller.doing(lookPhase, async ({flow}, work) => {
		await flow.look(work);
		const {record} = flow;
		return record.state === state ? {} : {...toStep(stepOf(record)), drift: await findDrift(flow, work)};
	});
	void readEvents(controller, 'now');
}

/** Returns the mode of the next PUT: the one in the journal, or else validation if the plan has it. */
function goalOf(kept: Mode | undefined, migration: MigrationState | undefined, isValidating: boolean): Mode {
	if (isValidating) return 'pending';
	return kept ?? (migration?.zone.plan === 'enterprise' ? 'validation' : 'pending');
}
