import type {Key} from '../../keyboard/key.ts';
import {isValidating, needsReadyConfirmation} from '../../migration/machine/states.ts';
import {editBuffer} from '../../text/buffer/buffer.ts';
import {buildEditRows} from '../managed-edit/edit-rows.ts';
import {getEditCommand} from '../shell/edit-keys.ts';
import {
	continueMigration,
	readMigration,
	rereadState,
	showActiveRules,
	takeOverMigration,
	verifyMigration,
} from './advance.ts';
import {listMigrationChoices, type MigrationChoice} from './choices.ts';
import type {MigrationController} from './controller.ts';
import {describeLeftMigration, hasUnreviewedEdits, listLeavingWarnings} from './messages.ts';
import {beginReview, chooseMigrationMode, confirmReview, markReadyToUpdate, runRehearsal} from './send.ts';
import {
	isJournalOpen,
	isMigrationTyping,
	listBlockerRows,
	type MigrationState,
	type MigrationStep,
} from './state.ts';

export const goToStep = ({proceed}: MigrationController, step: MigrationStep): void => proceed(step);

/** Opens the review of the configuration that would end validation, compared with the active rules. */
async function reviewInValidation(controller: MigrationController): Promise<void> {
	const {get} = controller;
	if (!(await showActiveRules(controller))) return;
	const migration = get().migration.data;
	if (!migration?.configuration || migration.phase.name !== 'asking') return;
	if (migration.eligibility?.eligible === false) return goToStep(controller, 'blockers');
	return beginReview(controller);
}

/**
 * Opens the editor of the configuration in validation, based on the active rules. Resolves to true if the
 * editor is open.
 */
export async function openValidationEditor(controller: MigrationController): Promise<boolean> {
	const {get} = controller;
	await reviewInValidation(controller);
	if (get().migration.data?.step !== 'review') return false;
	goToStep(controller, 'edit');
	return true;
}

/**
 * Runs an action that reads the zone again, which turns edits into a draft. Asks first if the draft cannot be
 * saved.
 */
async function confirmReread(
	controller: MigrationController,
	action: (controller: MigrationController) => Promise<void>,
): Promise<void> {
	const {get} = controller;
	const migration = get().migration.data;
	if (!migration || !hasUnreviewedEdits(migration) || !get().drafts.save()) return action(controller);
	get().dialog.open({
		kind: 'confirm',
		title: 'Read the zone again?',
		lines: [...listLeavingWarnings(migration), get().drafts.saveBeforeClosing()],
		actionLabel: 'read the zone again',
		confirm: () => void action(controller),
	});
}

/**
 * Reads the zone again, and says so if it still can't migrate: the screen then shows the same as before, also
 * the blockers.
 */
async function readAgain(controller: MigrationController): Promise<void> {
	const {get} = controller;
	const stepBefore = get().migration.data?.step;
	await readMigration(controller);
	const {migration, messages} = get();
	if (migration.data?.failure || migration.data?.eligibility?.eligible !== false || messages.latest) return;
	if (stepBefore === 'blockers' && listBlockerRows(migration.data).length > 0)
		goToStep(controller, 'blockers');
	messages.say(`Read again just now: ${migration.data.zone.name} still can't migrate.`);
}

/** Reads the zone again without leaving the editor or the review. Drops of a review must be on disk first. */
async function refreshEditor(controller: MigrationController): Promise<void> {
	await controller.waitForReviewDrops();
	return readMigration(controller, {keepsStep: true});
}

/** Verifies the deployment again, and says the result: the screen then shows the same as before. */
async function verifyAgain(controller: MigrationController): Promise<void> {
	const {get, change} = controller;
	await verifyMigration(controller);
	const migration = get().migration.data;
	if (migration?.step !== 'done' || migration.failure || !migration.verification) return;
	change(migration.id, {cursor: listMigrationChoices(migration).findIndex(({kind}) => kind === 'verify')});
	const result = !migration.record.reviewed
		? 'no review is recorded here to compare with'
		: migration.verification.sameAsReviewed
			? 'it matches your review'
			: 'it differs from your review';
	get().messages.say(`Read the deployment again just now: ${result}.`);
}

export async function executeChoice(
	controller: MigrationController,
	{kind, unavailableReason}: MigrationChoice,
): Promise<void> {
	const {get, change, getOpenMigration} = controller;
	const migration = get().migration.data;
	if (migration?.phase.name !== 'asking') return;
	if (unavailableReason !== undefined) return get().messages.warn(unavailableReason);
	const {step} = migration;
	switch (kind) {
		case 'read':
			return confirmReread(controller, readMigration);
		case 'look again':
			if (!getOpenMigration()) return controller.reopen();
			if (step === 'edit' || step === 'review') return confirmReread(controller, refreshEditor);
			return step === 'deploy' || step === 'watch'
				? rereadState(controller)
				: confirmReread(controller, readAgain);
		case 'continue':
			if (step === 'zone') return confirmReread(controller, continueMigration);
			if (listBlockerRows(migration).length > 0) return goToStep(controller, 'blockers');
			return beginReview(controller);
		case 'take over':
			return confirmReread(controller, takeOverMigration);
		case 'direct':
			return chooseMigrationMode(controller, 'pending');
		case 'validation first':
			return chooseMigrationMode(controller, 'validation');
		case 'rehearse':
			return runRehearsal(controller);
		case 'without rehearsal':
			return goToStep(controller, 'confirm');
		case 'review':
			return reviewInValidation(controller);
		case 'watch':
			return continueMigration(controller);
		case 'ready to update':
			return markReadyToUpdate(controller);
		case 'turn off previous version':
			if (!(await showActiveRules(controller))) return;
			change(migration.id, {goal: 'pending'});
			return goToStep(controller, 'confirm');
		case 'manage':
			get().managed.open(migration.zone);
			get().navigation.go('managed');
			return get().managed.readAndOfferDraft();
		case 'recreate':
			get().managed.open(migration.zone);
			get().leftBehind.open(migration.zone);
			get().navigation.go('leftBehind');
			void get().work.run(
				`loading what the migration of ${migration.zone.name} left behind`,
				'read',
				signal => get().leftBehind.load(signal),
			);
			return;
		case 'verify':
			return verifyAgain(controller);
		case 'leave':
			return leaveMigration(controller);
		default:
			return kind satisfies never;
	}
}

/**
 * Leaves the screen. A PUT that is under way continues and can be resumed; edits that were not reviewed
 * become a draft.
 */
export function leaveMigration(controller: MigrationController): void {
	const {get} = controller;
	const migration = get().migration.data;
	const {back} = get().navigation;
	get().work.cancelReads();
	back();
	// A write continues in the background and closes the journal when it ends.
	if (!migration || controller.isWriting()) return;
	const sentence = isJournalOpen(migration) ? describeLeftMigration(migration) : undefined;
	void controller.close();
	if (sentence !== undefined) get().messages.say(sentence);
}

/** Leaves without keeping a draft. */
export function discardMigration(controller: MigrationController): void {
	const migration = controller.get().migration.data;
	if (migration) controller.change(migration.id, {edits: [], unfinished: undefined, unparsedText: undefined});
	leaveMigration(controller);
}

/** Handles Enter: runs the selected choice, or goes to the next step. */
export async function enterStep(controller: MigrationController): Promise<void> {
	const {get} = controller;
	const migration = get().migration.data;
	if (migration?.phase.name !== 'asking') return;
	const {step, eligibility, cursor} = migration;
	switch (step) {
		case 'review':
			return confirmReview(controller);
		case 'edit':
			return goToStep(controller, 'review');
		case 'blockers': {
			if (eligibility?.eligible) return beginReview(controller);
			const why = eligibility?.blockers.find(({hinders}) => hinders)?.sentence ?? '';
			return get().messages.warn(`The zone can't migrate yet: ${why}`);
		}
		default: {
			const choice = listMigrationChoices(migration)[cursor];
			if (choice) return executeChoice(controller, choice);
		}
	}
}

export function moveMigrationCursor({get, change}: MigrationController, offset: number): void {
	const migration = get().migration.data;
	if (!migration) return;
	const cursor = Math.max(0, Math.min(getLastRowIndex(migration), migration.cursor + offset));
	change(migration.id, {cursor, ...(migration.step === 'edit' && {top: 0})});
}

/**
 * Scrolls the step by `offset` rows, up to `lastTop`. Rows of a review count as seen only if the new position
 * is at most `pageRows` below the furthest one.
 */
export function scrollMigration(
	{get, change}: MigrationController,
	offset: number,
	lastTop: number,
	pageRows: number,
): void {
	const migration = get().migration.data;
	if (!migration) return;
	const {id, step, view, furthestTops} = migration;
	const top = Math.max(0, Math.min(lastTop, migration.top + offset));
	const isNewFurthest = step === 'review' && top > furthestTops[view] && top <= furthestTops[view] + pageRows;
	change(id, {top, ...(isNewFurthest && {furthestTops: {...furthestTops, [view]: top}})});
}

export function toggleReviewView({get, change}: MigrationController): void {
	const migration = get().migration.data;
	if (migration) change(migration.id, {view: migration.view === 'json' ? 'comparison' : 'json', top: 0});
}

/** Lists or hides what is as the service proposes; it is the last part of the review. */
export function toggleProposed({get, change}: MigrationController): void {
	const migration = get().migration.data;
	if (migration) change(migration.id, {showsProposed: !migration.showsProposed});
}

/** Goes one step back, or cancels a read. Returns false if neither is possible. */
export function goToPreviousStep(controller: MigrationController): boolean {
	const {get} = controller;
	const migration = get().migration.data;
	if (!migration) return false;
	switch (migration.phase.name) {
		case 'reading':
		case 'backing up':
		case 'rehearsing':
			return get().work.cancelReads();
		case 'asking':
			break;
		default:
			return false;
	}
	const previousStep = getPreviousStep(migration);
	if (previousStep === undefined || !isJournalOpen(migration)) return false;
	const hasNoBlockers = previousStep === 'blockers' && listBlockerRows(migration).length === 0;
	goToStep(controller, hasNoBlockers ? 'eligibility' : previousStep);
	return true;
}

/** Handles a key while the confirmation is typed. Returns true if the key has a meaning there. */
export function typeConfirmation({get, change}: MigrationController, key: Key): boolean {
	const migration = get().migration.data;
	const command = getEditCommand(key);
	if (!migration || !isMigrationTyping(migration) || !command) return false;
	get().messages.clearSeen();
	change(migration.id, {typedBuffer: editBuffer(migration.typedBuffer, command)});
	return true;
}

const getLastRowIndex = (migration: MigrationState): number => {
	switch (migration.step) {
		case 'blockers':
			return listBlockerRows(migration).length - 1;
		case 'edit':
			return migration.configuration ? buildEditRows(migration.configuration).length - 1 : 0;
		default:
			return listMigrationChoices(migration).length - 1;
	}
};

/**
 * Returns the step before the current one. Undefined if Esc leaves the migration. In validation, steps return
 * to `watch`.
 */
function getPreviousStep({step, record, goal}: MigrationState): MigrationStep | undefined {
	if (!isValidating(record.state)) return previousSteps[step];
	switch (step) {
		case 'blockers':
		case 'review':
		case 'rehearse':
			return 'watch';
		case 'confirm':
			return goal === 'validation' && needsReadyConfirmation(record.state) ? 'rehearse' : 'watch';
		default:
			return previousSteps[step];
	}
}

const previousSteps: Partial<Record<MigrationStep, MigrationStep>> = {
	eligibility: 'zone',
	blockers: 'eligibility',
	review: 'blockers',
	edit: 'review',
	path: 'review',
	rehearse: 'path',
	confirm: 'rehearse',
};
