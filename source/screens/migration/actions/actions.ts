import type {Key} from '../../../keyboard/key.ts';
import type {Has} from '../../../store/ledge-store.ts';
import {editingActions} from '../../managed-edit/actions.ts';
import type {Action, App} from '../../shell/app.ts';
import {alwaysActions, backOrLeave, copyAction, detailsAction, formOf} from '../../shell/form-actions.ts';
import {isEdited} from '../editing.ts';
import {migrationLeavingLines, resumeCommand} from '../leaving.ts';
import {type MigrationStep, whyHeld} from '../state.ts';
import {migrationBlockers, selectedBlocker} from './blockers.ts';
import {openMigrationArea} from './opening.ts';
import {isAt, partOf} from './part.ts';
import {isUnread, migrationScrolling, readOn} from './scrolling.ts';

const typing = ['migration'] as const;
const choosing = ['migration menu'] as const;
const both = ['migration', 'migration menu'] as const;
const group = 'Migration';
const form = formOf('migration', group);

/** Esc: goes one step back; leaves from the first step and from steps without a way back. */
const back = (app: App): void =>
	backOrLeave(app, {
		noun: 'migration',
		back: () => app.state().migration.back(),
		lost() {
			const migration = app.state().migration.data;
			const lines = migration ? migrationLeavingLines(migration) : [];
			return lines.length > 0 ? lines : undefined;
		},
		leave: () => app.state().migration.leave(),
		...(app.state().migration.isTouched() && {discard: () => app.state().migration.discard()}),
	});

/** Confirms unless Enter was pasted together with text. */
function confirm({state}: App, {pasted}: Key): void {
	if (pasted === undefined) void state().migration.confirm();
	else state().messages.warn('That enter came in one go with the text: press it once more.');
}

/** True if Esc cancels a read; writes continue. */
const isReading = (state: Has<'work', 'list'> & Has<'migration'>): boolean =>
	partOf(state) === 'waiting' && state.work.list.some(({kind}) => kind === 'read');

/** Returns the text to copy. */
function copied(state: Has<'migration'>): string | undefined {
	const migration = state.migration.data;
	if (!migration) return undefined;
	const row = selectedBlocker(state);
	if (migration.step === 'blockers') return row && 'id' in row ? row.id : undefined;
	return migration.report ?? resumeCommand(migration);
}

const enters = (id: string, title: string, hint: string, ...steps: readonly MigrationStep[]): Action => ({
	id: `migration.${id}`,
	keys: ['enter'],
	title,
	hint,
	group,
	where: choosing,
	isHere: isAt(...steps),
	run: ({state}) => void state().migration.enter(),
});

const common = {group, where: choosing} as const;

/** Keys that edit the proposal. */
const migrationEditing: readonly Action[] = [
	...editingActions({...common, id: 'migration', isHere: isAt('edit')}),
	{
		...common,
		id: 'migration.undo',
		keys: ['u'],
		title: 'take the last edit back; without one, take what the service proposes',
		hint: 'undo',
		isHere: isAt('edit', 'review'),
		unavailable: ({migration: {data: migration}}) =>
			migration && isEdited(migration) ? undefined : 'nothing was edited',
		run: ({state}) => state().migration.undoEdit(),
	},
	{
		...common,
		id: 'migration.editor',
		keys: ['E'],
		title: 'change the raw JSON in $EDITOR',
		isHere: isAt('edit', 'review'),
		unavailable: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'there is no configuration',
		run: ({state, terminal}) => void state().migration.editElsewhere(terminal.handOver),
	},
];

/** Keys of the migration. While the zone's name is typed, letters are text. */
export const migrationActions: readonly Action[] = [
	{
		id: 'go.migration',
		keys: ['M'],
		title: 'go to the migration of the zone to the new managed rules',
		words: [
			'managed rules',
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
		unavailable: ({connection: {data: connection}}) =>
			connection?.problem ? 'the settings cannot be read' : undefined,
		run: app => openMigrationArea(app),
	},
	{
		id: 'migration.confirm',
		keys: ['enter'],
		title: 'send what was reviewed: no way back is documented',
		hint: 'SEND IT',
		group,
		destroys: true,
		where: typing,
		run: confirm,
	},
	readOn,
	{
		...enters(
			'reviewed',
			'I have reviewed this: it is kept, and nothing else is ever sent',
			'I have reviewed this',
			'review',
		),
		isHere: state => isAt('review')(state) && !isUnread(state),
	},
	enters('to-review', 'back to the review', 'review', 'edit'),
	enters('onward', 'on to the review', 'next', 'blockers'),
	enters(
		'choose',
		'choose what the cursor is on',
		'choose',
		'zone',
		'eligibility',
		'path',
		'rehearse',
		'deploy',
		'watch',
		'done',
	),
	...migrationBlockers,
	{
		id: 'migration.edit',
		keys: ['e'],
		title: 'edit the configuration',
		hint: 'edit',
		group,
		where: choosing,
		isHere: isAt('review'),
		unavailable: ({migration: {data: migration}}) =>
			migration?.configuration ? undefined : 'there is no configuration',
		run: ({state}) => state().migration.toStep('edit'),
	},
	{
		id: 'migration.json',
		keys: ['j'],
		title: 'show the raw JSON, or the comparison again',
		hint: 'raw JSON',
		group,
		where: choosing,
		isHere: isAt('review'),
		run: ({state}) => state().migration.changeView(),
	},
	...migrationEditing,
	{
		id: 'migration.stop',
		keys: ['esc'],
		title: 'stop what is being read or rehearsed',
		hint: 'stop',
		group,
		where: choosing,
		isHere: isReading,
		run: back,
	},
	{
		id: 'migration.back',
		keys: ['esc'],
		title: 'back; then out of the migration, which can be resumed',
		hint: 'back',
		words: ['go back'],
		group,
		where: both,
		isHere: state => !isReading(state),
		run: back,
	},
	...migrationScrolling,
	copyAction(form, 'copy the override, the path of the report, or the command that resumes it', copied),
	{
		id: 'migration.reload',
		keys: ['ctrl-r'],
		title: 'refresh',
		words: ['reload', 'read again', 'retry'],
		group,
		where: choosing,
		run: ({state}) => void state().migration.choose({does: 'look again', label: ''}),
	},
	detailsAction(
		form,
		'why',
		({migration: {data: migration}}) => migration && (migration.failure ?? whyHeld(migration)),
	),
	...alwaysActions(form),
];
