import {isFailure} from '../../failure.ts';
import type {FlowOptions} from '../../migration/flow/context.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {
	isAtWork,
	isComplete,
	isIneligible,
	isNotAccepted,
	isReviewedUnsent,
	isSendable,
	isValidating,
	isValidatingUnreviewed,
	type MachineState,
	stateTable,
	wasChangedElsewhere,
} from '../../migration/machine/states.ts';
import {getNextState} from '../../migration/machine/transitions.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {MigrationController} from './controller.ts';
import {type CarriedEdits, carryEdits} from './editing.ts';
import {getMigrationFormId} from './form.ts';
import {describeLeftMigration, describeRebase} from './messages.ts';
import {
	describeUnknownState,
	findActiveRuleChanges,
	findProposalChangeFailure,
	isZoneReadingOutdated,
	readMigrationZone,
} from './read-zone.ts';
import {refreshMigrationEvents} from './refresh-events.ts';
import {
	getResumeStep,
	isMigrationResumed,
	type MigrationState,
	type MigrationStep,
	moveToStep,
	noRowsSeen,
} from './state.ts';

/** The operation that reads the current state. */
export const rereadOperation = {
	label: 'reading the current state',
	kind: 'read',
	phase: {name: 'reading', what: 'the current state'},
} as const;

const getMachineState = ({getOpenMigration}: MigrationController): MachineState | undefined =>
	getOpenMigration()?.flow.record.state;

const isInFront = ({get}: MigrationController): boolean => get().navigation.stack.at(-1) === 'migration';

/**
 * Goes to the step of the machine's state, and runs what does not need the user. If another screen is in
 * front, closes the migration with a message instead.
 */
export async function settleMigration(controller: MigrationController): Promise<void> {
	const {get, go, getOpenMigration} = controller;
	const open = getOpenMigration();
	const migration = get().migration.data;
	const {isQuitting} = get().bulk;
	if (!open || migration?.id !== open.id) return;
	const {record} = open.flow;
	go(getResumeStep(record), {record});
	dropDrafts(controller);
	if (!isInFront(controller)) {
		const sentence = describeLeftMigration({...migration, record});
		// The failure is on the screen already.
		if (sentence !== undefined && !isQuitting && !migration.failure) get().messages.say(sentence);
		void controller.close();
		return;
	}
	if (isAtWork(record.state)) return watchUntilIdle(controller);
	if (isComplete(record.state)) return verifyMigration(controller);
	if (wasChangedElsewhere(record.state)) return readDrift(controller);
	if (isIneligible(record.state)) {
		// The zone's blockers are newer than the last reading.
		await readMigration(controller);
		return migration.failure && get().messages.fail(migration.failure);
	}
	// A migration that was resumed at its PUT has not been read yet. In validation, the screen shows the rules
	// that are active now.
	const shownMigration = get().migration.data;
	const needsFirstReading = shownMigration?.configuration === undefined && isSendable(record.state);
	if (needsFirstReading || (shownMigration && isZoneReadingOutdated(shownMigration)))
		return readMigration(controller);
	void refreshMigrationEvents(controller, 'now');
}

/**
 * Reads the zone and goes to the resulting step. `keepsStep`: stays in the editor or the review, with the
 * edits, if the zone can still be reviewed; otherwise the edits become a draft.
 */
export async function readMigration(
	controller: MigrationController,
	{keepsStep = false}: {readonly keepsStep?: boolean} = {},
): Promise<void> {
	const {get, runOperation} = controller;
	let carriedEdits: CarriedEdits | undefined;
	const previousMigration = get().migration.data;
	const stateBefore = getMachineState(controller);
	const isDone = await runOperation(
		{
			label: `reading ${previousMigration?.zone.name}`,
			kind: 'read',
			phase: {name: 'reading', what: 'the zone'},
		},
		async ({flow, client, serviceOrigin}, options) => {
			const result = await readMigrationZone(flow, client, serviceOrigin, {
				...options,
				onRead: (what, objectCount) => options.reportPhase({name: 'reading', what, objectCount}),
			});
			const {record} = flow;
			const proposalFailure = findProposalChangeFailure(record, result);
			const stepIfEligible = getStepAfterReading(
				stateBefore,
				flow.record,
				previousMigration,
				proposalFailure !== undefined,
			);
			const isBlocked = result.eligibility?.eligible === false && eligibleSteps.includes(stepIfEligible);
			const step = isBlocked ? 'blockers' : stepIfEligible;
			const {snapshot} = result;
			const migration = get().migration.data;
			const canStay = keepsStep && !isBlocked && getNextState(record.state, 'review') !== undefined;
			carriedEdits = canStay && migration ? carryEdits(migration, result) : undefined;
			if (!carriedEdits && step === 'review' && snapshot) await flow.backUp(options, snapshot);
			// `offerEdits` then offers the edits again.
			if (!carriedEdits && migration) get().drafts.release(getMigrationFormId(migration));
			return {
				...result,
				changesByOthers:
					result.changesByOthers ?? findActiveRuleChanges(previousMigration, {snapshot, record}),
				drift: await findDrift(flow, options),
				furthestTops: noRowsSeen,
				edits: [],
				unfinished: undefined,
				unparsedText: undefined,
				rehearsal: undefined,
				goal: getNextMode(flow.record.goal, migration, record.seen?.stage === 'validation'),
				...moveToStep(step),
				...carriedEdits?.migrationPart,
				...(proposalFailure && {failure: proposalFailure}),
				...(describeUnknownState(record) !== undefined && {record}),
			};
		},
	);
	const state = getMachineState(controller);
	if (!isDone || !state) return;
	const {changesByOthers = []} = get().migration.data ?? {};
	if (isValidatingUnreviewed(state) && changesByOthers.length > 0)
		get().messages.warn(
			`Someone else changed the active rules: ${formatQuantity(changesByOthers.length, 'difference')}. The review lists what.`,
		);
	void refreshMigrationEvents(controller, 'now');
	if (carriedEdits) return reportCarriedEdits(controller, carriedEdits);
	if (getNextState(state, 'review') !== undefined) offerEdits(controller);
	if (isComplete(state)) return verifyMigration(controller);
	if (isAtWork(state)) return watchUntilIdle(controller);
}

/** The steps after a reading that need an eligible zone; the blockers take their place. */
const eligibleSteps: readonly MigrationStep[] = ['review', 'path', 'confirm'];

function getStepAfterReading(
	stateBefore: MachineState | undefined,
	record: MigrationState['record'],
	previousMigration: MigrationState | undefined,
	hasNewProposal: boolean,
): MigrationStep {
	// After an unknown outcome, sending needs a new confirmation.
	if (stateBefore && isNotAccepted(stateBefore) && isReviewedUnsent(record.state)) return 'confirm';
	if (hasNewProposal) return 'review';
	return (previousMigration && isMigrationResumed(previousMigration)) || record.seen?.stage !== 'previous'
		? getResumeStep(record)
		: 'eligibility';
}

/** Says what changed in the zone since the editor was opened. A failure is on the screen already. */
function reportCarriedEdits({get}: MigrationController, {lostEdits}: CarriedEdits): void {
	const {changesByOthers = [], edits = [], failure} = get().migration.data ?? {};
	const sentence = describeRebase(lostEdits, changesByOthers, edits.length > 0);
	if (sentence !== undefined) get().messages.warn(sentence);
	else if (!failure) get().messages.say('Read again just now: nothing changed.');
}

/** Offers saved edits of this zone. */
function offerEdits(controller: MigrationController): void {
	const {get} = controller;
	const migration = get().migration.data;
	const dialog = get().dialog.current;
	if (!migration?.configuration || !isInFront(controller) || dialog) return;
	get().drafts.offerAll({kind: 'migration', zone: migration.zone.id}, () => {});
}

async function watchUntilIdle(controller: MigrationController): Promise<void> {
	const startedAt = controller.ports.now();
	const isDone = await controller.runOperation(
		{
			label: 'watching the migration',
			kind: 'background',
			phase: {name: 'watching'},
			step: 'watch',
			watchStatus: {since: startedAt, at: startedAt},
		},
		async ({flow}, options) => {
			await flow.watch(options);
			return {};
		},
	);
	const state = getMachineState(controller);
	if (isDone && !(state && isAtWork(state))) await settleMigration(controller);
}

export async function verifyMigration(controller: MigrationController): Promise<void> {
	dropDrafts(controller);
	await controller.runOperation(
		{
			label: 'reading what is deployed',
			kind: 'read',
			phase: {name: 'reading', what: 'what is deployed'},
			step: 'done',
		},
		async ({flow, client}, {signal}) => {
			const {verifyAndReport} = await import('./verification.ts');
			return verifyAndReport(flow, client, signal);
		},
	);
	void refreshMigrationEvents(controller, 'now');
}

/** Drops what was kept for a migration that is complete: it can no longer be reviewed or sent. */
function dropDrafts(controller: MigrationController): void {
	const {get, change} = controller;
	const migration = get().migration.data;
	const state = getMachineState(controller);
	if (!migration || !state || !isComplete(state)) return;
	change(migration.id, {unfinished: undefined, unparsedText: undefined});
	get().drafts.dropAll({kind: 'migration', zone: migration.zone.id});
}

/** Continues from the state in the journal: settles a lost response, watches, verifies, or reads the zone. */
export async function continueMigration(controller: MigrationController): Promise<void> {
	const state = getMachineState(controller);
	if (state && isComplete(state)) return verifyMigration(controller);
	switch (state && stateTable[state].activity) {
		case 'sending':
		case 'in doubt': {
			const isDone = await controller.runOperation(
				{...rereadOperation, label: 'reading the outcome of the PUT', step: 'deploy'},
				async ({flow}, options) => {
					await flow.settle(options);
					return {};
				},
			);
			return isDone ? settleMigration(controller) : undefined;
		}
		case 'at work':
			return watchUntilIdle(controller);
		default:
			return readMigration(controller);
	}
}

/** Accepts what someone else changed, unless it changed again after it was shown. */
export async function takeOverMigration(controller: MigrationController): Promise<void> {
	const {drift} = controller.get().migration.data ?? {};
	if (!drift) return readDrift(controller);
	if (!controller.wasVisibleLongEnough()) return;
	const isDone = await controller.runOperation(rereadOperation, async ({flow}, options) => {
		await flow.takeOver(options, drift);
		return {drift: undefined};
	});
	if (isDone) return continueMigration(controller);
	if (isFailure(controller.get().migration.data?.failure, 'changed_meanwhile')) await readDrift(controller);
}

/** Reads what others changed since the review. A failure on the screen stays there. */
async function readDrift(controller: MigrationController): Promise<void> {
	const {failure} = controller.get().migration.data ?? {};
	await controller.runOperation(rereadOperation, async ({flow}, options) => ({
		drift: await findDrift(flow, options),
		failure,
	}));
}

/** If the zone was changed elsewhere, finds what others changed since the review. */
const findDrift = async (flow: MigrationFlow, options: FlowOptions) =>
	wasChangedElsewhere(flow.record.state) ? flow.readDrift(options) : undefined;

/** Reads the state once. Continues to watch only if the machine waits for the service. */
export async function rereadState(controller: MigrationController): Promise<void> {
	const state = getMachineState(controller);
	if (!state || !isValidating(state)) return continueMigration(controller);
	await showActiveRules(controller);
	void refreshMigrationEvents(controller, 'now');
}

/**
 * In validation, reads the state, and the zone if its active rules are no longer those shown. Resolves to true
 * if the screen shows them. If the zone was changed elsewhere, goes to the step for that.
 */
export async function showActiveRules(controller: MigrationController): Promise<boolean> {
	const {get, runOperation} = controller;
	const state = getMachineState(controller);
	const isDone = await runOperation(rereadOperation, async ({flow}, options) => {
		await flow.observe(options);
		const {record} = flow;
		return record.state === state
			? {}
			: {...moveToStep(getResumeStep(record)), drift: await findDrift(flow, options)};
	});
	const migration = get().migration.data;
	if (!isDone || !migration || migration.record.state !== state) return false;
	if (isZoneReadingOutdated(migration)) await readMigration(controller);
	const {record, phase, failure} = get().migration.data ?? {};
	return record?.state === state && phase?.name === 'asking' && !failure;
}

/** Returns the mode of the next PUT: the one in the journal, or else validation if the plan includes it. */
function getNextMode(
	storedMode: MigrationMode | undefined,
	migration: MigrationState | undefined,
	isInValidation: boolean,
): MigrationMode {
	if (isInValidation) return 'pending';
	return storedMode ?? (migration?.zone.plan === 'enterprise' ? 'validation' : 'pending');
}
