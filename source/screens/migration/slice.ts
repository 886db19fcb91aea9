import type {Key} from '../../keyboard/key.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import type {Slice} from '../../store/slice.ts';
import type {ManagedEditor} from '../managed-edit/editor.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {readMigration} from './advance.ts';
import type {MigrationChoice} from './choices.ts';
import {createMigrationController, type MigrationController, type NamedZone} from './controller.ts';
import {
	applyMigrationEdit,
	buildMigrationEditor,
	discardMigrationEdits,
	discardMigrationReview,
	editExternally,
	type HandOver,
	resumeEdits,
	undoMigrationEdit,
} from './editing.ts';
import type {EditFields} from './form.ts';
import {getMigrationQuitMessage, hasUnreviewedEdits} from './messages.ts';
import {refreshMigrationEvents} from './refresh-events.ts';
import {beginReview, confirmReview, confirmSending, deleteBlockingOverrides} from './send.ts';
import {type MigrationEvents, type MigrationState, type MigrationStep, noRowsSeen} from './state.ts';
import {
	discardMigration,
	enterStep,
	executeChoice,
	goToPreviousStep,
	goToStep,
	leaveMigration,
	moveMigrationCursor,
	openValidationEditor,
	scrollMigration,
	toggleProposed,
	toggleReviewView,
	typeConfirmation,
} from './steps.ts';
import type {MigrationThrottle} from './throttle.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly migration: MigrationSlice;
	}
}

/** The migration of a zone, step by step. */
type MigrationSlice = {
	readonly data: MigrationState | undefined;
	readonly throttle: MigrationThrottle | undefined;
	open(zone: ZoneWithLabel): Promise<void>;
	/** Reads the zone and goes to the resulting step. */
	read(): Promise<void>;
	choose(choice: MigrationChoice): Promise<void>;
	enter(): Promise<void>;
	move(offset: number): void;
	scroll(offset: number, lastTop: number, pageRows: number): void;
	toggleReviewView(): void;
	toggleProposed(): void;
	goToStep(step: MigrationStep): void;
	goBack(): boolean;
	type(key: Key): boolean;
	beginReview(): Promise<void>;
	confirmReview(): Promise<void>;
	confirmSending(): Promise<void>;
	deleteOverrides(ids: readonly string[]): Promise<void>;
	/** Reads what security events show: now, or only if a reading is due. */
	readEvents(timing: 'now' | 'due', scope?: MigrationEvents['scope']): Promise<void>;
	/** Opens the editor of the configuration in validation. Resolves to true if the editor is open. */
	openValidationEditor(): Promise<boolean>;
	/** Returns the adapter of the shared editor for the current step. */
	getEditor(): ManagedEditor | undefined;
	applyEdit(edit: ConfigurationEdit): void;
	undoEdit(): void;
	/**
	 * Applies the edits of a draft to the current configuration. Returns the edits that no longer apply, as
	 * sentences.
	 */
	resumeEdits(fields: EditFields): readonly string[];
	editExternally(handOver: HandOver): Promise<void>;
	/** Clears the unfinished exception after it was resumed or discarded. */
	forgetUnfinished(): void;
	/** Resolves when every review that an edit dropped is removed from the journal. */
	waitForReviewDrops(): Promise<void>;
	leave(): void;
	/** Closes the migration, unless a write is in progress. Resolves to true if the journal was closed. */
	close(): Promise<boolean>;
	discard(): void;
	/** Discards all edits, and stays on the screen. */
	discardEdits(): void;
	/** Drops the review of a zone from its journal. */
	discardReview(zone: NamedZone): Promise<void>;
	/** True if there are edits that were not reviewed. Leaving turns them into a draft. */
	hasUnreviewedEdits(): boolean;
	/** Forgets which rows of the review were on screen, because another width wraps rows differently. */
	resetFurthestTops(): void;
	/** Waits for a PUT or deletion under way, then for the journal to close: at most six seconds for each. */
	end(): Promise<void>;
	/** Returns the message to print after quitting: the state of the migration, and how to resume it. */
	getQuitMessage(): string | undefined;
};

export const createMigrationSlice: Slice<MigrationSlice> = (set, get, ports) => {
	const controller = createMigrationController(set, get, ports);
	const bindController =
		<Values extends readonly unknown[], Result>(
			action: (controller: MigrationController, ...values: Values) => Result,
		) =>
		(...values: Values): Result =>
			action(controller, ...values);
	return {
		data: undefined,
		throttle: undefined,
		open: controller.open,
		read: bindController(readMigration),
		choose: bindController(executeChoice),
		enter: bindController(enterStep),
		move: bindController(moveMigrationCursor),
		scroll: bindController(scrollMigration),
		toggleReviewView: bindController(toggleReviewView),
		toggleProposed: bindController(toggleProposed),
		goToStep: bindController(goToStep),
		goBack: bindController(goToPreviousStep),
		type: bindController(typeConfirmation),
		beginReview: bindController(beginReview),
		confirmReview: bindController(confirmReview),
		confirmSending: bindController(confirmSending),
		deleteOverrides: bindController(deleteBlockingOverrides),
		readEvents: bindController(refreshMigrationEvents),
		openValidationEditor: bindController(openValidationEditor),
		getEditor: bindController(buildMigrationEditor),
		applyEdit: bindController(applyMigrationEdit),
		undoEdit: bindController(undoMigrationEdit),
		resumeEdits: bindController(resumeEdits),
		editExternally: bindController(editExternally),
		forgetUnfinished() {
			const migration = get().migration.data;
			if (migration) controller.change(migration.id, {unfinished: undefined});
		},
		waitForReviewDrops: controller.waitForReviewDrops,
		leave: bindController(leaveMigration),
		async close() {
			if (!get().migration.data || controller.isWriting()) return false;
			await controller.close();
			return true;
		},
		discard: bindController(discardMigration),
		discardEdits: bindController(discardMigrationEdits),
		discardReview: bindController(discardMigrationReview),
		resetFurthestTops() {
			const migration = get().migration.data;
			if (migration) set({data: {...migration, furthestTops: noRowsSeen}});
		},
		hasUnreviewedEdits: () => hasUnreviewedEdits(get().migration.data),
		end: controller.end,
		getQuitMessage: () => getMigrationQuitMessage(get().migration.data),
	};
};
