import {nameKey} from '../../keyboard/named-keys.ts';
import {getLastConfigurationChange} from '../../migration/machine/observation.ts';
import {isComplete} from '../../migration/machine/states.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {proposeException} from '../managed-edit/exceptions.ts';
import {hasEvents} from '../migration/refresh-events.ts';
import type {MigrationEvents} from '../migration/state.ts';
import {createActionFactory, withClipboardCopy, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {createScrollActions} from '../shell/scrolling.ts';
import {measureDetailScroll} from './layout.ts';
import {buildSelectedException, getSelectedValidationRow} from './slice.ts';

const buildAction = createActionFactory('Validation', ['validation']);
const noRuleReason = 'no rule selected';

/** Opens the comparison of both versions from the migration. */
export const openValidationAction: Action = createActionFactory('Migration', ['migration menu'])(
	'migration.events',
	['v'],
	'compare both versions: security events, exception candidates',
	{
		hint: 'events',
		searchTerms: ['security events', 'compare versions', 'false positive', 'validation', 'blocked requests'],
		isActive: ({migration: {data: migration}}) =>
			migration?.step === 'watch' && migration.phase.name === 'asking',
		getUnavailableReason: ({migration: {data: migration}}) =>
			migration && hasEvents(migration) ? undefined : 'only while both versions are on',
		run: openValidation,
	},
);

function openValidation({state}: App): void {
	state().validation.open();
	state().navigation.go('validation');
	void state().migration.readEvents('due');
}

/** Refreshes the events of both versions. */
export const refreshValidation = ({state}: App): void => void state().migration.readEvents('now');

/**
 * Returns to the migration's editor, with an exception for the selected row. Esc leads back to the events, and
 * from there to the step where they were opened.
 */
async function createExceptionInEditor(
	app: App,
	draft: NonNullable<ReturnType<typeof buildSelectedException>>,
): Promise<void> {
	const {state} = app;
	state().navigation.back();
	if (!(await state().migration.openValidationEditor())) return;
	state().dialog.leadBackTo(() => {
		state().migration.goToStep('watch');
		state().navigation.go('validation');
	});
	proposeException(app, draft);
}

const buildDetailAction = createScrollActions(
	{id: 'validation.detail', group: 'Validation', where: ['validation']},
	{
		getExtent: measureDetailScroll,
		getTop: state => state.validation.data?.top,
		scroll: (state, distance, last) => state.validation.scroll(distance, last),
	},
);

/** Explains why there is only one span of time; undefined if there are two. */
function getOnlyScopeReason({migration: {data: migration}}: StateWith<'migration'>): string | undefined {
	if (!migration || getLastConfigurationChange(migration.record) !== undefined) return undefined;
	return migration.events?.isBeginningKnown
		? 'the configuration has not changed since validation began'
		: 'ledge did not begin this validation, and does not know its start';
}

/** Builds the action that shows the other of the two spans of time. */
const buildScopeAction = (scope: MigrationEvents['scope'], title: string, hint: string): Action =>
	buildAction(`validation.${scope}`, ['t'], title, {
		hint,
		searchTerms: ['time', 'since', 'whole'],
		isActive: ({migration: {data: migration}}) => (migration?.events?.scope ?? 'changed') !== scope,
		getUnavailableReason: getOnlyScopeReason,
		run: ({state}) => void state().migration.readEvents('now', scope),
	});

/** Actions of the comparison. */
export const validationActions: readonly Action[] = [
	buildAction(
		'validation.exception',
		['a'],
		'create an exception for this rule at this path, in the editor',
		{
			effect: 'prepares a write',
			hint: 'exception',
			searchTerms: ['false positive', 'skip', 'let through', 'allow'],
			...withSelection(
				buildSelectedException,
				'only for paths where a new managed rule stopped requests',
				(app, draft) => void createExceptionInEditor(app, draft),
				({migration: {data: migration}}) =>
					migration && isComplete(migration.record.state)
						? `the migration is complete; ${nameKey('go.managed', '4')} opens the managed rules`
						: undefined,
			),
		},
	),
	buildScopeAction('all', 'show the events since validation began', 'since start'),
	buildScopeAction('changed', 'show only the events since the last configuration change', 'since change'),
	buildDetailAction('down', ['ctrl-d', 'space'], 'scroll the details down', 'line down'),
	buildDetailAction('up', ['ctrl-u'], 'scroll the details up', 'line up'),
	buildAction('validation.copy', ['y'], 'copy the rule id', {
		hint: 'copy id',
		...withClipboardCopy(state => getSelectedValidationRow(state)?.subject.ruleId, noRuleReason),
	}),
];
