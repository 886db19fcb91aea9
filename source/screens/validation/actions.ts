import {isComplete} from '../../migration/machine/states.ts';
import {proposeException} from '../managed-edit/exceptions.ts';
import {hasEvents} from '../migration/events.ts';
import {actionsOf, copying, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {lineDown, lineUp, scrollActions} from '../shell/scrolling.ts';
import {detailExtent} from './layout.ts';
import {exceptionHere, rowHere} from './slice.ts';

const action = actionsOf('Validation', ['validation']);
const none = 'there is nothing here';

/** Opens the comparison of both versions from the migration. */
export const toValidation: Action = actionsOf('Migration', ['migration menu'])(
	'migration.events',
	['v'],
	'what each version does to requests: security events, candidates for exceptions',
	{
		hint: 'events',
		words: ['security events', 'compare versions', 'false positive', 'validation', 'blocked requests'],
		isHere: ({migration: {data: migration}}) =>
			migration?.step === 'watch' && migration.phase.name === 'asking',
		unavailable: ({migration: {data: migration}}) =>
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
export const readValidation = ({state}: App): void => void state().migration.readEvents('now');

/** Returns to the migration's editor with an exception for the selected row. */
async function makeException(app: App, draft: NonNullable<ReturnType<typeof exceptionHere>>): Promise<void> {
	const {state} = app;
	state().navigation.back();
	if (await state().migration.toEditor()) proposeException(app, draft);
}

const byDetail = scrollActions(
	{id: 'validation.detail', group: 'Validation', where: ['validation']},
	detailExtent,
	(state, by, last) => state.validation.scroll(by, last),
);

/** Actions of the comparison. */
export const validationActions: readonly Action[] = [
	action('validation.exception', ['x'], 'make an exception for this rule at this path, in the editor', {
		hint: 'exception',
		words: ['false positive', 'skip', 'let through', 'allow'],
		...withFound(
			exceptionHere,
			'only what new managed rules stopped at a path can have an exception',
			(app, draft) => void makeException(app, draft),
			({migration: {data: migration}}) =>
				migration && isComplete(migration.record.state)
					? 'the migration is complete: W changes its rules'
					: undefined,
		),
	}),
	action('validation.all', ['t'], 'all of the validation, or only since its configuration was changed', {
		hint: 'all/since change',
		words: ['time', 'since', 'whole'],
		run: ({state}) => {
			const of = state().migration.data?.events?.of === 'all' ? 'changed' : 'all';
			void state().migration.readEvents('now', of);
		},
	}),
	byDetail('down', ['ctrl-d', 'space'], 'scroll the details down', lineDown),
	byDetail('up', ['ctrl-u'], 'scroll the details up', lineUp),
	action('validation.copy', ['y'], 'copy the id of the rule', {
		hint: 'copy the id',
		...copying(state => rowHere(state)?.at.rule, none),
	}),
];
