import type {Key} from '../../keyboard/key.ts';
import type {Edit} from '../../migration/configuration/edits.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import type {ManagedEditor} from '../managed-edit/host.ts';
import type {MigrationChoice} from './choices.ts';
import {createMigrationController, type MigrationController} from './controller.ts';
import {read} from './driving.ts';
import {
	applyToConfiguration,
	editElsewhere,
	type HandOver,
	migrationEditorOf,
	resumeEdits,
	undo,
} from './editing.ts';
import {type MigrationEvents, readEvents} from './events.ts';
import type {EditFields} from './form.ts';
import {isMigrationLost, migrationLastWords} from './leaving.ts';
import {unseen} from './navigation.ts';
import {beginReview, confirm, deleteOverrides, review} from './sending.ts';
import type {MigrationState, MigrationStep} from './state.ts';
import {
	back,
	changeView,
	choose,
	discard,
	enter,
	leave,
	move,
	scroll,
	toEditor,
	toStepInFront,
	type,
} from './steps.ts';
import type {MigrationThrottle} from './throttle.ts';

/** The migration of a zone, step by step: the state, and what keys do to it. */
export type MigrationSlice = {
	readonly migration: MigrationState | undefined;
	readonly migrationThrottle: MigrationThrottle | undefined;
	openMigration(zone: OpenedZone): Promise<void>;
	/** Reads the zone, and goes to where the migration then is. */
	readMigration(): Promise<void>;
	chooseInMigration(choice: MigrationChoice): Promise<void>;
	enterInMigration(): Promise<void>;
	moveInMigration(by: number): void;
	scrollMigration(by: number, last: number, page: number): void;
	changeMigrationView(): void;
	toMigrationStep(step: MigrationStep): void;
	backInMigration(): boolean;
	typeInMigration(key: Key): boolean;
	beginMigrationReview(): Promise<void>;
	reviewMigration(): Promise<void>;
	confirmMigration(): Promise<void>;
	deleteMigrationOverrides(ids: readonly string[]): Promise<void>;
	/** Reads what security events show, at once or when it is time. */
	readMigrationEvents(how: 'now' | 'due', of?: MigrationEvents['of']): Promise<void>;
	/** To the editor of the configuration in validation. Returns whether it is there. */
	toMigrationEditor(): Promise<boolean>;
	/** What the shared editor edits at the step in front. */
	migrationEditor(): ManagedEditor | undefined;
	applyMigrationEdit(edit: Edit): void;
	undoMigrationEdit(): void;
	/** Makes the edits of a draft to the current configuration. Returns those that no longer apply, as sentences. */
	resumeMigrationEdits(fields: EditFields): readonly string[];
	editMigrationElsewhere(handOver: HandOver): Promise<void>;
	/** The exception that was being typed is resumed, or discarded. */
	forgetUnfinished(): void;
	/** Ends when the journal has every edit. */
	migrationEditsKept(): Promise<void>;
	leaveMigration(): void;
	/** Closes it unless it waits for the answer of a write. Returns whether the journal is closed then. */
	closeMigration(): Promise<boolean>;
	discardMigration(): void;
	/** Whether leaving loses edits. */
	isMigrationTouched(): boolean;
	/** Forgets which rows of the review were on the screen: in another width rows are other rows. */
	forgetSeenInMigration(): void;
	/** Waits for the answer of a PUT under way, for some seconds, and closes the journal. */
	endMigration(): Promise<void>;
	/** What is printed when ledge has ended: where the migration is, and how to continue. */
	migrationLastWords(): string | undefined;
};

export const createMigrationSlice: Slice<MigrationSlice> = (set, get, ports) => {
	const controller = createMigrationController(set, get, ports);
	const bound =
		<Values extends readonly unknown[], Result>(
			action: (controller: MigrationController, ...values: Values) => Result,
		) =>
		(...values: Values): Result =>
			action(controller, ...values);
	return {
		migration: undefined,
		migrationThrottle: undefined,
		openMigration: controller.open,
		readMigration: bound(read),
		chooseInMigration: bound(choose),
		enterInMigration: bound(enter),
		moveInMigration: bound(move),
		scrollMigration: bound(scroll),
		changeMigrationView: bound(changeView),
		toMigrationStep: bound(toStepInFront),
		backInMigration: bound(back),
		typeInMigration: bound(type),
		beginMigrationReview: bound(beginReview),
		reviewMigration: bound(review),
		confirmMigration: bound(confirm),
		deleteMigrationOverrides: bound(deleteOverrides),
		readMigrationEvents: bound(readEvents),
		toMigrationEditor: bound(toEditor),
		migrationEditor: bound(migrationEditorOf),
		applyMigrationEdit: bound(applyToConfiguration),
		undoMigrationEdit: bound(undo),
		resumeMigrationEdits: bound(resumeEdits),
		editMigrationElsewhere: bound(editElsewhere),
		forgetUnfinished() {
			const {migration} = get();
			if (migration) controller.change(migration.id, {unfinished: undefined});
		},
		migrationEditsKept: controller.edits,
		leaveMigration: bound(leave),
		async closeMigration() {
			if (!get().migration || controller.isWriting()) return false;
			await controller.close();
			return true;
		},
		discardMigration: bound(discard),
		forgetSeenInMigration() {
			const {migration} = get();
			if (migration) set({migration: {...migration, seen: unseen}});
		},
		isMigrationTouched: () => isMigrationLost(get().migration),
		endMigration: controller.end,
		migrationLastWords: () => migrationLastWords(get().migration),
	};
};
