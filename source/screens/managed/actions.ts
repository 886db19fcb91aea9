import type {Failure} from '../../failure.ts';
import {managedChangeSentence} from '../../managed/change-words.ts';
import {hindranceOf} from '../../managed/proposal.ts';
import type {Has} from '../../store/ledge-store.ts';
import {hasLoaded} from '../list/reading.ts';
import {editingActions} from '../managed-edit/actions.ts';
import {editRows} from '../managed-edit/edit-rows.ts';
import {overrideRule} from '../managed-edit/overriding.ts';
import {getWriteBlockedReason, rulesetActions} from '../rulesets/actions.ts';
import {actionsOf, belongingTo, copying, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {explaining} from '../shell/everywhere.ts';
import {lineDown, lineUp, pageDown, scrollActions} from '../shell/scrolling.ts';
import {reviewActions} from '../write-flow/actions.ts';
import {extentOf} from './body.ts';
import {isManagedTouched, notDeployed, requestsOf} from './state.ts';

const group = 'Managed rules in force';
const where = ['managed'] as const;
const action = actionsOf(group, where);

const isAt = belongingTo(({managed: {data: managed}}: Has<'managed'>) => managed?.step);
const isListed = (state: Has<'managed'>): boolean => !isAt('review')(state);

/** Returns why nothing can be changed here, or why the last operation failed. */
const failureHere = ({managed: {data: managed}}: Has<'managed'>): Failure | undefined =>
	managed?.obstacle ?? managed?.inForce?.readOnly ?? managed?.failure;

/** Explains why nothing can be changed here; undefined if it can. */
export function notChangeable(
	state: Has<'managed' | 'connection'> & Has<'work', 'list'>,
): string | undefined {
	const managed = state.managed.data;
	if (managed?.inForce?.readOnly && hasLoaded(managed)) return managed.inForce.readOnly.message;
	return getWriteBlockedReason(state, managed, 'managed rules');
}

/**
 * Opens the browser of all managed rules of the zone, with an optional query. Picking a rule overrides it.
 */
export function browseManaged(app: App, query?: string): void {
	const {state} = app;
	const managed = state().managed.data;
	const contents = managed?.inForce?.managed;
	if (!contents) return;
	const isPicked = notChangeable(state()) === undefined;
	state().catalogue.open({
		title: `Managed rules of ${managed.zone.name}`,
		managed: contents,
		configuration: managed.configuration,
		query,
		picks: isPicked ? 'one' : 'nothing',
		does: 'override it',
		picked([rule]) {
			if (rule) overrideRule(app, rule);
		},
	});
}

/** Asks which managed ruleset to deploy. */
function askDeployment(app: App): void {
	const editor = app.state().managed.editor();
	const managed = app.state().managed.data;
	if (!editor || !managed) return;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Deploy which managed ruleset?',
		lines: ['At the end, for all requests. Nothing is sent before the review.'],
		choices: notDeployed(managed).map(({id, name}) => ({value: id, label: name})),
		choose(ruleset) {
			const now = app.state().managed.editor();
			now?.apply({kind: 'ruleset deployed', ruleset});
			now?.move(Number.POSITIVE_INFINITY);
		},
	});
}

function notDeployable(state: Has<'managed' | 'connection'> & Has<'work', 'list'>): string | undefined {
	const refused = notChangeable(state);
	if (refused) return refused;
	const managed = state.managed.data;
	if (managed?.inForce?.managed === undefined) return 'the managed rulesets could not be read';
	return notDeployed(managed).length > 0 ? undefined : 'all managed rulesets of the zone are deployed';
}

/** Sends what the review shows; asks for the zone's name if it reduces protection. */
function send({state}: App): void {
	const {getReviewed, wasVisibleLongEnough, write} = state().managed;
	const reviewed = getReviewed();
	if (reviewed && wasVisibleLongEnough()) write(reviewed, {does: 'send it'});
}

/** Returns the id of the rule or override under the cursor. */
function idHere({managed: {data: managed}}: Has<'managed'>): string | undefined {
	const row = managed && editRows(managed.configuration)[managed.cursor];
	if (!row) return undefined;
	if (row.kind === 'override') return row.id;
	const id = managed.configuration.rules[row.index]?.id;
	return typeof id === 'string' ? id : undefined;
}

const hasEdits = ({managed: {data: managed}}: Has<'managed'>): boolean => isManagedTouched(managed);

const scrolled = scrollActions(
	{id: 'managed', group, where, isHere: isAt('review')},
	extentOf,
	(state, by, last) => state.managed.scroll(by, last),
);
const aside = scrollActions(
	{id: 'managed.aside', group, where, isHere: isListed},
	extentOf,
	(state, by, last) => state.managed.scroll(by, last),
);

/** The actions of the active managed rules. */
export const managedActions: readonly Action[] = [
	action('managed.send', ['enter'], 'send what the review shows, with one call', {
		hint: 'send it',
		destroys: true,
		isHere: isAt('review'),
		unavailable: state =>
			notChangeable(state) ??
			(state.managed.data?.proposal?.edit ? undefined : 'nothing differs from what is in force'),
		run: send,
	}),
	action('managed.review', ['enter'], 'review what was changed, before it is sent', {
		hint: 'review',
		words: ['send', 'apply', 'deploy'],
		isHere: isListed,
		unavailable: state => (hasEdits(state) ? undefined : 'nothing was changed'),
		run: ({state}) => state().managed.toStep('review'),
	}),
	...editingActions({id: 'managed', group, where, isHere: isListed, refused: notChangeable}),
	action('managed.deploy', ['n'], 'deploy a managed ruleset that is not deployed', {
		hint: 'deploy',
		words: ['new', 'add ruleset', 'available'],
		isHere: isListed,
		unavailable: notDeployable,
		run: askDeployment,
	}),
	action('managed.browse', ['b'], 'browse all managed rules, with what each does here, and override one', {
		hint: 'browse',
		words: ['catalogue', 'search rules', 'find rule', 'look up', 'which rule blocks', 'false positive'],
		isHere: isListed,
		...withFound(
			({managed: {data: managed}}) => managed?.inForce?.managed,
			'the managed rulesets could not be read',
			app => browseManaged(app),
		),
	}),
	action('managed.undo', ['u'], 'undo the last change that is not sent', {
		hint: 'undo',
		words: ['take back', 'revert'],
		isHere: hasEdits,
		run: ({state}) => state().managed.undoEdit(),
	}),
	...rulesetActions({
		called: 'managed rules',
		screen: 'managed',
		ids: {versions: 'managed.versions', undo: 'managed.undo-sent'},
		group,
		where,
		isHere: isListed,
		isUndoHere: state => !hasEdits(state),
		read: ({managed: {data: managed}}) => managed && {...managed, ruleset: managed.inForce?.ruleset},
		blocked: notChangeable,
		sentence: managedChangeSentence,
	}),
	action('managed.copy', ['y'], 'copy the id of the rule', {
		hint: 'copy the id',
		isHere: isListed,
		...copying(idHere, 'there is no id here: the rule is new'),
	}),
	...reviewActions({
		id: 'managed',
		group,
		where,
		isHere: isAt('review'),
		requests: ({managed: {data: managed}}) => (managed ? requestsOf(managed) : []),
		obstacle({managed: {data: managed}}) {
			const {inForce, proposal} = managed ?? {};
			const hindrance = inForce && proposal && hindranceOf(inForce, proposal);
			return hindrance && [hindrance.message, hindrance.details.why].filter(Boolean).join(' ');
		},
		toggleView: state => state.managed.toggleView(),
	}),
	action('managed.why', ['i'], 'why it was not sent, or cannot be changed', {
		hint: 'why',
		isHere: state => failureHere(state) !== undefined,
		...explaining(failureHere),
	}),
	aside('down', ['ctrl-d'], 'scroll the details down', lineDown, 'more'),
	aside('up', ['ctrl-u'], 'scroll the details up', lineUp),
	scrolled('page-down', ['space'], 'one page down in the review', pageDown, 'more'),
];
