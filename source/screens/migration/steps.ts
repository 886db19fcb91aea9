import type {Key} from '../../keyboard/key.ts';
import {awaitsReady, isValidating} from '../../migration/machine/states.ts';
import {edit as typedIn} from '../../text/buffer/buffer.ts';
import {editRows} from '../managed-edit/edit-rows.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import {type MigrationChoice, migrationChoices} from './choices.ts';
import type {MigrationController} from './controller.ts';
import {lookAgain, read, resume, takeOver, verify} from './driving.ts';
import {isMigrationLost, migrationLeavingLines, migrationLeftSentence} from './leaving.ts';
import {beginReview, choosePath, ready, rehearse, review} from './sending.ts';
import {blockerRows, isMigrationTyping, isOpen, type MigrationState, type MigrationStep} from './state.ts';

export const toStepInFront = ({go}: MigrationController, step: MigrationStep): void =>
	go(step, {failure: undefined});

/** Opens the review of the configuration that would end validation; reads the zone first if needed. */
async function reviewInValidation(controller: MigrationController): Promise<void> {
	const {get} = controller;
	if (!get().migration.data?.configuration) await read(controller);
	const migration = get().migration.data;
	if (!migration?.configuration || migration.phase.name !== 'asking') return;
	if (migration.eligibility?.eligible === false) return toStepInFront(controller, 'blockers');
	return beginReview(controller);
}

/**
 * Opens the editor of the configuration in validation; reads the zone first if needed. Resolves to true if it
 * is open.
 */
export async function toEditor(controller: MigrationController): Promise<boolean> {
	const {get} = controller;
	await reviewInValidation(controller);
	if (get().migration.data?.step !== 'review') return false;
	toStepInFront(controller, 'edit');
	return true;
}

/** Runs work that rereads the zone; edits become a draft. Asks first if they cannot be kept. */
async function asked(
	controller: MigrationController,
	work: (controller: MigrationController) => Promise<void>,
): Promise<void> {
	const {get} = controller;
	const migration = get().migration.data;
	if (!migration || !isMigrationLost(migration) || !get().drafts.save()) return work(controller);
	get().dialog.open({
		kind: 'confirm',
		title: 'Read the zone again?',
		lines: [...migrationLeavingLines(migration), get().drafts.whenClosed()],
		does: 'read it again',
		confirm: () => void work(controller),
	});
}

export async function choose(controller: MigrationController, {does, why}: MigrationChoice): Promise<void> {
	const {get, change, opened} = controller;
	const migration = get().migration.data;
	if (migration?.phase.name !== 'asking') return;
	if (why !== undefined) return get().messages.warn(why);
	const {step} = migration;
	switch (does) {
		case 'read':
			return asked(controller, read);
		case 'look again':
			if (!opened()) return controller.reopen();
			return step === 'deploy' || step === 'watch' ? lookAgain(controller) : asked(controller, read);
		case 'continue':
			if (step === 'zone') return asked(controller, resume);
			if (blockerRows(migration).length > 0) return toStepInFront(controller, 'blockers');
			return beginReview(controller);
		case 'take over':
			return asked(controller, takeOver);
		case 'direct':
			return choosePath(controller, 'pending');
		case 'validation first':
			return choosePath(controller, 'validation');
		case 'rehearse':
			return rehearse(controller);
		case 'without rehearsal':
			return toStepInFront(controller, 'confirm');
		case 'review':
			return reviewInValidation(controller);
		case 'watch':
			return resume(controller);
		case 'ready to update':
			return ready(controller);
		case 'turn off previous version':
			change(migration.id, {goal: 'pending'});
			return toStepInFront(controller, 'confirm');
		case 'manage':
			get().managed.open(migration.zone);
			get().navigation.go('managed');
			return get().managed.readInFront();
		case 'recreate':
			get().managed.open(migration.zone);
			get().navigation.go('managed');
			get().leftBehind.open(migration.zone);
			get().navigation.go('leftBehind');
			void get().work.run(
				`reading what the migration of ${migration.zone.name} left behind`,
				'read',
				signal => get().leftBehind.load(signal),
			);
			return;
		case 'verify':
			return verify(controller);
		case 'leave':
			return leave(controller);
		default:
			return does satisfies never;
	}
}

/** Leaves the screen. A PUT under way continues and can be resumed; unreviewed edits stay as a draft. */
export function leave(controller: MigrationController): void {
	const {get} = controller;
	const migration = get().migration.data;
	const {back} = get().navigation;
	get().work.cancelReads();
	back();
	// A write continues in the background and closes the journal at its end.
	if (!migration || controller.isWriting()) return;
	const sentence = isOpen(migration) ? migrationLeftSentence(migration) : undefined;
	void controller.close();
	if (sentence !== undefined) get().messages.say(sentence);
}

/** Leaves without keeping a draft. */
export function discard(controller: MigrationController): void {
	const migration = controller.get().migration.data;
	if (migration) controller.change(migration.id, {edits: [], unfinished: undefined, left: undefined});
	leave(controller);
}

/** Handles Enter: runs the selected choice, or goes to the next step. */
export async function enter(controller: MigrationController): Promise<void> {
	const {get} = controller;
	const migration = get().migration.data;
	if (migration?.phase.name !== 'asking') return;
	const {step, eligibility, cursor} = migration;
	switch (step) {
		case 'review':
			return review(controller);
		case 'edit':
			return toStepInFront(controller, 'review');
		case 'blockers': {
			if (eligibility?.eligible) return beginReview(controller);
			const why = eligibility?.blockers.find(({hinders}) => hinders)?.sentence ?? '';
			return get().messages.warn(`It cannot migrate as it is: ${why}`);
		}
		default: {
			const choice = migrationChoices(migration)[cursor];
			if (choice) return choose(controller, choice);
		}
	}
}

export function move({get, change}: MigrationController, by: number): void {
	const migration = get().migration.data;
	if (!migration) return;
	const cursor = Math.max(0, Math.min(lastRow(migration), migration.cursor + by));
	change(migration.id, {cursor, ...(migration.step === 'edit' && {top: 0})});
}

/**
 * Scrolls the step by `by` rows, at most to `last`. In a review, rows count as seen only if scrolling moved
 * at most a `page`.
 */
export function scroll({get, change}: MigrationController, by: number, last: number, page: number): void {
	const migration = get().migration.data;
	if (!migration) return;
	const {id, step, view, seen} = migration;
	const top = Math.max(0, Math.min(last, migration.top + by));
	const isFurther = step === 'review' && top > seen[view] && top <= seen[view] + page;
	change(id, {top, ...(isFurther && {seen: {...seen, [view]: top}})});
}

export function changeView({get, change}: MigrationController): void {
	const migration = get().migration.data;
	if (migration) change(migration.id, {view: migration.view === 'json' ? 'comparison' : 'json', top: 0});
}

/** Goes one step back, or cancels a read. Returns false without a previous step. */
export function back(controller: MigrationController): boolean {
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
	const to = stepBefore(migration);
	if (to === undefined || !isOpen(migration)) return false;
	const isEmpty = to === 'blockers' && blockerRows(migration).length === 0;
	toStepInFront(controller, isEmpty ? 'eligibility' : to);
	return true;
}

/** Handles a key of the typed confirmation. Returns true if the key has a meaning there. */
export function type({get, change}: MigrationController, key: Key): boolean {
	const migration = get().migration.data;
	const command = editCommandOf(key);
	if (!migration || !isMigrationTyping(migration) || !command) return false;
	get().messages.clearRead();
	change(migration.id, {typed: typedIn(migration.typed, command)});
	return true;
}

const lastRow = (migration: MigrationState): number => {
	switch (migration.step) {
		case 'blockers':
			return blockerRows(migration).length - 1;
		case 'edit':
			return migration.configuration ? editRows(migration.configuration).length - 1 : 0;
		default:
			return migrationChoices(migration).length - 1;
	}
};

/**
 * Returns the step before the current one. Undefined if Esc leaves the migration. In validation, steps return
 * to `watch`.
 */
function stepBefore({step, record, goal}: MigrationState): MigrationStep | undefined {
	if (!isValidating(record.state)) return before[step];
	switch (step) {
		case 'blockers':
		case 'review':
		case 'rehearse':
			return 'watch';
		case 'confirm':
			return goal === 'validation' && awaitsReady(record.state) ? 'rehearse' : 'watch';
		default:
			return before[step];
	}
}

const before: Partial<Record<MigrationStep, MigrationStep>> = {
	eligibility: 'zone',
	blockers: 'eligibility',
	review: 'blockers',
	edit: 'review',
	path: 'review',
	rehearse: 'path',
	confirm: 'rehearse',
};
