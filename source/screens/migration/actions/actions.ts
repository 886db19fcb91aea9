import {nameKey} from '../../../keyboard/named-keys.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {buildEditActions} from '../../managed-edit/actions.ts';
import {browseRules} from '../../managed-edit/ask-override.ts';
import {getManagedEditor} from '../../managed-edit/editor.ts';
import {createActionFactory, defineGlobalAction, withClipboardCopy} from '../../shell/action.ts';
import type {Action, App} from '../../shell/app.ts';
import {
	createDetailsAction,
	createFormActions,
	defineForm,
	goBackOrLeave,
	handleTypedEnter,
} from '../../shell/form-actions.ts';
import {isEdited} from '../editing.ts';
import {formatResumeCommand, listLeavingWarnings} from '../messages.ts';
import {findLockFailure, type MigrationState, type MigrationStep} from '../state.ts';
import {blockerActions, getSelectedBlocker} from './blockers.ts';
import {openMigrationArea} from './open-migration.ts';
import {getMigrationPart, isAtMigrationStep} from './part.ts';
import {hasUnreadRows, migrationScrollActions, proposedActions, readActions} from './scrolling.ts';

const group = 'Migration';
const form = defineForm('migration', group);
const where = form.choosingContexts;
const defineTypingAction = createActionFactory(group, form.typingContexts);
const defineMenuAction = createActionFactory(group, where);
const defineAction = createActionFactory(group, [...form.typingContexts, ...where]);

/** Handles Esc: goes one step back, or leaves from the first step and from steps without a way back. */
const goBack = (app: App): void =>
	goBackOrLeave(app, {
		noun: 'migration',
		goBack: () => app.state().migration.goBack(),
		describeLoss() {
			const migration = app.state().migration.data;
			const lines = migration ? listLeavingWarnings(migration) : [];
			const isKept = app.state().migration.hasUnreviewedEdits() && app.state().drafts.save() === undefined;
			return lines.length > 0 && !isKept ? lines : undefined;
		},
		leave() {
			const isDraft = app.state().migration.hasUnreviewedEdits();
			app.state().migration.leave();
			if (isDraft)
				app
					.state()
					.messages.say(`Your edits are kept as a draft: ${nameKey('edits.unsaved', 'U')} opens it.`);
		},
		...(app.state().migration.hasUnreviewedEdits() && {discard: () => app.state().migration.discard()}),
	});

/** True if Esc cancels a read. Writes continue. */
const canCancelRead = (state: StateWith<'work', 'list'> & StateWith<'migration'>): boolean =>
	getMigrationPart(state) === 'waiting' && state.work.list.some(({kind}) => kind === 'read');

/**
 * Returns what `y` copies: among the blockers the id of the selected object or else the command that restores
 * deleted overrides, elsewhere the path of the report or else the resume command.
 */
function getCopyText(state: StateWith<'migration'>): string | undefined {
	const migration = state.migration.data;
	if (!migration) return undefined;
	const row = getSelectedBlocker(state);
	if (migration.step === 'blockers') return row && 'id' in row ? row.id : migration.restoreCommand;
	return migration.reportPath ?? formatResumeCommand(migration);
}

const buildEnterAction = (
	id: string,
	title: string,
	hint: string,
	...steps: readonly MigrationStep[]
): Action =>
	defineMenuAction(`migration.${id}`, ['enter'], title, {
		hint,
		effect: 'prepares a write',
		isActive: isAtMigrationStep(...steps),
		run: ({state}) => void state().migration.enter(),
	});

/** Builds the action that switches the review from one view to the other. */
const buildViewAction = (
	id: MigrationState['view'],
	shownView: MigrationState['view'],
	title: string,
	hint: string,
): Action =>
	defineMenuAction(`migration.${id}`, ['t'], title, {
		hint,
		isActive: state => isAtMigrationStep('review')(state) && state.migration.data?.view === shownView,
		run: ({state}) => state().migration.toggleReviewView(),
	});

/** Keys that edit the proposal. */
const migrationEditActions: readonly Action[] = [
	...buildEditActions({group, where, idPrefix: 'migration', isActive: isAtMigrationStep('edit')}),
	defineMenuAction(
		'migration.browse',
		['b', '/'],
		'search all managed rules and their effect here, and override them',
		{
			hint: 'browse',
			searchTerms: ['catalogue', 'search rules', 'find rule'],
			isActive: isAtMigrationStep('edit'),
			getUnavailableReason: state =>
				getManagedEditor(state)?.catalogue ? undefined : 'the managed rulesets could not be read',
			run(app) {
				const editor = getManagedEditor(app.state());
				if (editor?.catalogue) browseRules(app, {...editor, rulesets: editor.catalogue, pickMode: 'several'});
			},
		},
	),
	defineMenuAction('migration.undo', ['u'], 'undo the last edit; without edits, reset to the proposal', {
		hint: 'undo',
		isActive: isAtMigrationStep('edit', 'review'),
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration && isEdited(migration) ? undefined : 'no edits',
		run: ({state}) => state().migration.undoEdit(),
	}),
	defineMenuAction('migration.editor', ['E'], 'edit the raw JSON in $EDITOR', {
		isActive: isAtMigrationStep('edit', 'review'),
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'no configuration',
		run: ({state, terminal}) => void state().migration.editExternally(terminal.handOver),
	}),
];

/** Keys of the migration. While the zone's name is typed, letters are text. */
export const migrationActions: readonly Action[] = [
	defineGlobalAction('go.migration', ['5'], "go to the zone's migration to the new managed rules", {
		searchTerms: [
			'old waf',
			'upgrade old waf',
			'upgrade',
			'resume migration',
			'continue migration',
			'start migration',
			'migrate zone',
			'upgrade managed rules',
			'new managed rules',
			'migration status',
			'rehearse',
			'rehearsal',
		],
		getUnavailableReason: ({connection: {data: connection}}) =>
			connection?.problem ? 'the settings cannot be read' : undefined,
		run: app => openMigrationArea(app),
	}),
	defineTypingAction(
		'migration.confirm',
		['enter'],
		'send the reviewed configuration; no rollback is documented',
		{
			effect: 'writes',
			hint: 'SEND',
			isDestructive: true,
			run: (app, key) => handleTypedEnter(app, key, () => void app.state().migration.confirmSending()),
		},
	),
	...readActions,
	{
		...buildEnterAction(
			'reviewed',
			'mark as reviewed: it is saved, and nothing else is ever sent',
			'I have reviewed this',
			'review',
		),
		isActive: state => isAtMigrationStep('review')(state) && !hasUnreadRows(state),
	},
	{...buildEnterAction('to-review', 'back to the review', 'review', 'edit'), keys: ['enter', 'ctrl-s']},
	{
		...buildEnterAction('onward', 'continue to the review', 'next', 'blockers'),
		getHintPlace: ({migration: {data: migration}}) => (migration?.eligibility?.eligible ? undefined : 'none'),
	},
	buildEnterAction(
		'choose',
		'choose the selected option',
		'choose',
		'zone',
		'eligibility',
		'path',
		'rehearse',
		'deploy',
		'watch',
		'done',
	),
	...blockerActions,
	defineMenuAction('migration.edit', ['e'], 'edit the configuration', {
		hint: 'edit',
		isActive: isAtMigrationStep('review'),
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'no configuration',
		run: ({state}) => state().migration.goToStep('edit'),
	}),
	buildViewAction('json', 'comparison', 'show the JSON that will be sent', 'show the JSON'),
	buildViewAction('comparison', 'json', 'show the comparison again', 'show the comparison'),
	...proposedActions,
	...migrationEditActions,
	defineMenuAction('migration.stop', ['esc'], 'stop loading or rehearsing', {
		hint: 'stop',
		isActive: canCancelRead,
		run: goBack,
	}),
	defineAction('migration.back', ['esc'], 'go back; then close the migration (can be resumed)', {
		hint: 'back',
		searchTerms: ['go back'],
		isActive: state => !canCancelRead(state),
		run: goBack,
	}),
	...migrationScrollActions,
	defineMenuAction(
		'migration.copy',
		['y'],
		'copy the override, the report path, or the command that restores or resumes',
		{hint: 'copy', ...withClipboardCopy(state => getCopyText(state) || undefined, 'nothing to copy')},
	),
	defineAction('migration.reload', ['ctrl-r'], 'refresh; your edits stay', {
		searchTerms: ['reload', 'read again', 'retry'],
		run: ({state}) => void state().migration.choose({kind: 'look again', label: ''}),
	}),
	createDetailsAction(
		form,
		'why',
		({migration: {data: migration}}) => migration && (migration.failure ?? findLockFailure(migration)),
	),
	...createFormActions(form),
];
