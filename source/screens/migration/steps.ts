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

/** Goes to the review of what would end the validation; a migration that was resumed at its PUT is read first. */
async function reviewInValidation(controller: MigrationController): Promise<void> {
	const {get} = controller;
	if (!get().migration.data?.configuration) await read(controller);
	const migration = get().migration.data;
	if (!migration?.configuration || migration.phase.name !== 'asking') return;
	if (migration.eligibility?.eligible === false) return toStepInFront(controller, 'blockers');
	return beginReview(controller);
}

/** Goes to the editor of the configuration in validation, which is read first where it was not. Returns whether it is there. */
export async function toEditor(controller: MigrationController): Promise<boolean> {
	const {get} = controller;
	await reviewInValidation(controller);
	if (get().migration.data?.step !== 'review') return false;
	toStepInFront(controller, 'edit');
	return true;
}

/** Does what reads the zone again: edits are a draft meanwhile. Asks first where that cannot be kept. */
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

/** Leaves the screen. A PUT under way continues, and can be resumed; edits that were not reviewed stay as a draft. */
export function leave(controller: MigrationController): void {
	const {get} = controller;
	const migration = get().migration.data;
	const {back} = get().navigation;
	get().work.cancelReads();
	back();
	// A write continues behind other screens, and closes the journal at its end.
	if (!migration || controller.isWriting()) return;
	const sentence = isOpen(migration) ? migrationLeftSentence(migration) : undefined;
	void controller.close();
	if (sentence !== undefined) get().messages.say(sentence);
}

/** Leaves without a draft. */
export function discard(controller: MigrationController): void {
	const migration = controller.get().migration.data;
	if (migration) controller.change(migration.id, {edits: [], unfinished: undefined, left: undefined});
	leave(controller);
}

/** What enter does: the choice under the cursor, or the next step. */
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
 * Scrolls the text of the step, at most to `last`. Of the review it keeps how far it was in sight, with no more than a
 * `page` at a time: what was jumped over was not.
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

/** One step back; stops what is being read. Returns `false` where only leaving is left. */
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

/** A key of the typed confirmation. Returns whether it means anything there. */
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

/** Where esc leads; `undefined` where it leads out. In validation every step leads back to where that is watched. */
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
