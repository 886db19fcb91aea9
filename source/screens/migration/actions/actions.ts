import type {Key} from '../../../keyboard/key.ts';
import {nameKey} from '../../../keyboard/named-keys.ts';
import type {StateWith} from '../../../store/ledge-store.ts';
import {buildEditActions} from '../../managed-edit/actions.ts';
import {browseRules} from '../../managed-edit/ask-override.ts';
import {getManagedEditor} from '../../managed-edit/editor.ts';
import type {Action, App} from '../../shell/app.ts';
import {
	createCopyAction,
	createDetailsAction,
	createFormActions,
	defineForm,
	goBackOrLeave,
} from '../../shell/form-actions.ts';
import {isEdited} from '../editing.ts';
import {formatResumeCommand, listLeavingWarnings} from '../messages.ts';
import {findLockFailure, type MigrationState, type MigrationStep} from '../state.ts';
import {blockerActions, getSelectedBlocker} from './blockers.ts';
import {openMigrationArea} from './open-migration.ts';
import {getMigrationPart, isAtMigrationStep} from './part.ts';
import {hasUnreadRows, migrationScrollActions, proposedActions, readActions} from './scrolling.ts';

const typingContexts = ['migration'] as const;
const menuContexts = ['migration menu'] as const;
const allContexts = ['migration', 'migration menu'] as const;
const group = 'Migration';
const form = defineForm('migration', group);

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

/** Confirms, unless Enter was pasted together with text. */
function confirmUnlessPasted({state}: App, {pasted}: Key): void {
	if (pasted === undefined) void state().migration.confirmSending();
	else
		state().messages.warn(
			'Enter was ignored because it arrived together with text, as in a paste. Press enter again.',
		);
}

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
): Action => ({
	id: `migration.${id}`,
	keys: ['enter'],
	title,
	hint,
	group,
	where: menuContexts,
	effect: 'prepares a write',
	isActive: isAtMigrationStep(...steps),
	run: ({state}) => void state().migration.enter(),
});

const menuDefaults = {group, where: menuContexts} as const;

/** Builds the action that switches the review from one view to the other. */
const buildViewAction = (
	id: MigrationState['view'],
	shownView: MigrationState['view'],
	title: string,
	hint: string,
): Action => ({
	...menuDefaults,
	id: `migration.${id}`,
	keys: ['t'],
	title,
	hint,
	isActive: state => isAtMigrationStep('review')(state) && state.migration.data?.view === shownView,
	run: ({state}) => state().migration.toggleReviewView(),
});

/** Keys that edit the proposal. */
const migrationEditActions: readonly Action[] = [
	...buildEditActions({...menuDefaults, idPrefix: 'migration', isActive: isAtMigrationStep('edit')}),
	{
		...menuDefaults,
		id: 'migration.browse',
		keys: ['b', '/'],
		title: 'search all managed rules and their effect here, and override them',
		hint: 'browse',
		searchTerms: ['catalogue', 'search rules', 'find rule'],
		isActive: isAtMigrationStep('edit'),
		getUnavailableReason: state =>
			getManagedEditor(state)?.catalogue ? undefined : 'the managed rulesets could not be read',
		run(app) {
			const editor = getManagedEditor(app.state());
			const zone = app.state().migration.data?.zone;
			if (editor?.catalogue && zone)
				browseRules(app, {...editor, zone, rulesets: editor.catalogue, pickMode: 'several'});
		},
	},
	{
		...menuDefaults,
		id: 'migration.undo',
		keys: ['u'],
		title: 'undo the last edit; without edits, reset to the proposal',
		hint: 'undo',
		isActive: isAtMigrationStep('edit', 'review'),
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration && isEdited(migration) ? undefined : 'no edits',
		run: ({state}) => state().migration.undoEdit(),
	},
	{
		...menuDefaults,
		id: 'migration.editor',
		keys: ['E'],
		title: 'edit the raw JSON in $EDITOR',
		isActive: isAtMigrationStep('edit', 'review'),
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'no configuration',
		run: ({state, terminal}) => void state().migration.editExternally(terminal.handOver),
	},
];

/** Keys of the migration. While the zone's name is typed, letters are text. */
export const migrationActions: readonly Action[] = [
	{
		id: 'go.migration',
		keys: ['5'],
		title: "go to the zone's migration to the new managed rules",
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
		],
		group: 'Everywhere',
		where: 'everywhere',
		getUnavailableReason: ({connection: {data: connection}}) =>
			connection?.problem ? 'the settings cannot be read' : undefined,
		run: app => openMigrationArea(app),
	},
	{
		id: 'migration.confirm',
		effect: 'writes',
		keys: ['enter'],
		title: 'send the reviewed configuration; no rollback is documented',
		hint: 'SEND',
		group,
		isDestructive: true,
		where: typingContexts,
		run: confirmUnlessPasted,
	},
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
	{
		id: 'migration.edit',
		keys: ['e'],
		title: 'edit the configuration',
		hint: 'edit',
		group,
		where: menuContexts,
		isActive: isAtMigrationStep('review'),
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'no configuration',
		run: ({state}) => state().migration.goToStep('edit'),
	},
	buildViewAction('json', 'comparison', 'show the JSON that will be sent', 'show the JSON'),
	buildViewAction('comparison', 'json', 'show the comparison again', 'show the comparison'),
	...proposedActions,
	...migrationEditActions,
	{
		id: 'migration.stop',
		keys: ['esc'],
		title: 'stop loading or rehearsing',
		hint: 'stop',
		group,
		where: menuContexts,
		isActive: canCancelRead,
		run: goBack,
	},
	{
		id: 'migration.back',
		keys: ['esc'],
		title: 'go back; then close the migration (can be resumed)',
		hint: 'back',
		searchTerms: ['go back'],
		group,
		where: allContexts,
		isActive: state => !canCancelRead(state),
		run: goBack,
	},
	...migrationScrollActions,
	createCopyAction(
		form,
		'copy the override, the report path, or the command that restores or resumes',
		getCopyText,
	),
	{
		id: 'migration.reload',
		keys: ['ctrl-r'],
		title: 'refresh',
		searchTerms: ['reload', 'read again', 'retry'],
		group,
		where: allContexts,
		run: ({state}) => void state().migration.choose({kind: 'look again', label: ''}),
	},
	createDetailsAction(
		form,
		'why',
		({migration: {data: migration}}) => migration && (migration.failure ?? findLockFailure(migration)),
	),
	...createFormActions(form),
];
