import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import {type Key, pressed} from '../../keyboard/key.ts';
import type {Has} from '../../store/ledge-store.ts';
import {actionsOf, belongingTo, copying} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {
	alwaysActions,
	backOrLeave,
	detailsAction,
	failureIn,
	formOf,
	stopAction,
} from '../shell/form-actions.ts';
import {menuKeys, toMenu} from '../shell/menu.ts';
import {lineDown, lineUp, pageDown, pageUp, scrollActions, toFirst, toLast} from '../shell/scrolling.ts';
import {reviewActions} from '../write-flow/actions.ts';
import {readCustomRules, readFirewall} from '../zones/actions.ts';
import {type AnyRuleKind, findObstacle, type RuleForm, type RuleKind} from './rule-form.ts';
import {reviewRows} from './rule-review.ts';
import type {FormEnding, RuleScreen} from './state.ts';

/** Opens the form of a rule, after offering a stored draft for the same purpose. */
export function openRuleForm<Purpose>(
	app: App,
	kind: Pick<
		RuleKind<RuleForm<Purpose>, Purpose, FormEnding>,
		'screen' | 'list' | 'draftKind' | 'draftKey' | 'read'
	>,
	purpose: Purpose,
): void {
	const {state} = app;
	const {screen, list} = kind;
	const zone = state()[list].data?.zone;
	const before = kind.read(state());
	function open() {
		(state()[screen].begin as (purpose: Purpose) => void)(purpose);
		const form = kind.read(state());
		const message = state().messages.latest;
		if (!form) return;
		// A form that is still open may belong to another zone, which is then shown.
		if (state()[list].data?.zone.id !== form.zone.id) {
			state()[list].open(form.zone);
			if (list === 'firewall') readFirewall(app);
			else readCustomRules(app);
			if (message) state().messages.warn(message.text);
		}
		state().navigation.go(screen);
	}
	if (!zone || (before && before.phase.name !== 'asking')) open();
	else state().drafts.offerAllOf({kind: kind.draftKind, zone: zone.id, key: kind.draftKey(purpose)}, open);
}

type Part = 'expression' | 'about' | 'filter' | 'action' | 'choices' | 'review' | 'sending' | 'ended';

/** Returns the visible part of a form. */
function partOf(form: RuleForm | undefined): Part | undefined {
	if (form?.phase.name !== 'asking') return form?.phase.name;
	if (form.step === 'expression' && form.filter) return 'filter';
	return form.step === 'action' && form.choosing !== undefined ? 'choices' : form.step;
}

const {marks} = themeOf('none', true);

type Reviewed = Has<RuleScreen | 'connection'> & Has<'navigation', 'viewport'>;

/**
 * Measures the review in rows: maximum scroll offset, visible rows, and the offset that shows all requests.
 */
export function reviewExtent(
	kind: AnyRuleKind,
	state: Reviewed,
): {readonly last: number; readonly room: number; readonly requests: number} {
	const {rows: height, columns} = state.navigation.viewport;
	const body = bodyRows(height);
	const room = body - (body >= 14 ? 3 : 2);
	const form = kind.read(state);
	if (!form) return {last: 0, room, requests: 0};
	const {rows, requestEnd} = reviewRows(kind, form, state.connection.data, columns, marks);
	const last = Math.max(0, rows.length - room);
	// The last visible row shows how many rows follow, unless it is the end.
	const shown = requestEnd === rows.length ? room : room - 1;
	return {last, room, requests: last === 0 ? 0 : Math.max(0, requestEnd - shown)};
}

/** Builds the actions of a rule form, plus `more` of one kind. Letters are text where text is typed. */
export function ruleFormActions(kind: AnyRuleKind, more: readonly Action[] = []): readonly Action[] {
	const {screen, group, noun, read} = kind;
	const form = formOf(screen, group, noun);
	const {typing, choosing} = form;
	const isAt = belongingTo((state: Has<RuleScreen>) => partOf(read(state)));
	const inText = actionsOf(group, typing);
	const inMenu = actionsOf(group, choosing);
	const scrolls = scrollActions(
		{id: screen, group, where: choosing, isHere: isAt('review')},
		state => reviewExtent(kind, state),
		(state, by, end) => state[screen].form.scroll(by, end),
	);

	/** Goes to the next step, unless the enter came from an unmarked paste. */
	function enter({state}: App, key: Key) {
		switch (key.pasted) {
			case undefined:
				return state()[screen].nextStep();
			case 'inside':
				return void state()[screen].type(pressed('alt-enter', ''));
			case 'at the end':
				return state().messages.warn(
					'That enter came in one go with the text, as in a paste: press it once more.',
				);
			default:
				return key.pasted satisfies never;
		}
	}

	const back = (app: App): void => {
		const {previousStep, form} = app.state()[screen];
		backOrLeave(app, {noun, back: previousStep, lost: form.lost, leave: form.leave, discard: form.discard});
	};

	const nextLine = inText(`${screen}.next-line`, ['tab'], 'next line', {
		hint: 'next line',
		isHere: isAt('about'),
		run: ({state}) => state()[screen].nextLine(),
	});
	const choosingActions = [
		inMenu(`${screen}.on`, ['enter'], 'next step, with what was chosen', {
			hint: 'next',
			isHere: isAt('filter', 'choices'),
			run: ({state}) => state()[screen].nextStep(),
		}),
		inMenu(`${screen}.toggle`, ['space', 'x'], 'select or unselect what is under the cursor', {
			hint: 'choose',
			isHere: isAt('choices'),
			run: ({state}) => state()[screen].toggleChoice(),
		}),
		inMenu(`${screen}.choice-down`, ['down', 'j'], 'one row down', {
			isHere: isAt('choices'),
			run: ({state}) => state()[screen].moveInChoices(1),
		}),
		inMenu(`${screen}.choice-up`, ['up', 'k'], 'one row up', {
			isHere: isAt('choices'),
			run: ({state}) => state()[screen].moveInChoices(-1),
		}),
	];

	return [
		inText(`${screen}.take`, ['tab'], 'take the completion, or the correction of the problem', {
			hint: 'complete',
			isHere: isAt('expression'),
			run: ({state}) => state()[screen].form.complete(),
		}),
		...(kind.order === undefined ? [] : [nextLine]),
		inText(`${screen}.next`, ['enter'], 'next step', {hint: 'next', run: enter}),
		inText(`${screen}.format`, ['ctrl-f'], 'write the expression in its canonical form', {
			hint: 'format',
			isHere: isAt('expression'),
			run: ({state}) => state()[screen].form.format(),
		}),
		inText(`${screen}.problem`, ['ctrl-t'], 'go to the next problem of the expression', {
			isHere: isAt('expression'),
			run: ({state}) => state()[screen].form.toNextProblem(),
		}),
		inMenu(`${screen}.choose`, menuKeys, 'move in the choices, and choose', {
			hint: 'choose',
			isHere: isAt('action', 'ended'),
			run: toMenu,
		}),
		inMenu(`${screen}.send`, ['enter'], 'send what the review shows', {
			hint: 'send it',
			destroys: true,
			isHere: isAt('review'),
			run: ({state}) => void state()[screen].send(),
		}),
		...more,
		...(kind.chooser ? choosingActions : []),
		...reviewActions({
			id: screen,
			group,
			where: choosing,
			isHere: isAt('review'),
			requests: state => read(state)?.requests ?? [],
			obstacle(state) {
				const current = read(state);
				return current && findObstacle(kind, current);
			},
			toggleView: state => state[screen].form.toggleView(),
		}),
		inMenu(`${screen}.copy`, ['y'], 'copy the command to continue', {
			hint: 'copy',
			isHere: isAt('ended'),
			...copying(state => {
				const current = read(state);
				return current && kind.command?.(current);
			}, 'there is nothing to copy here'),
		}),
		stopAction(form, isAt('sending'), state => state[screen].form.cancel()),
		scrolls('page-down', ['space', 'pagedown'], 'one page down', pageDown, 'more'),
		scrolls('page-up', ['pageup'], 'one page up', pageUp),
		scrolls('line-down', ['down', 'j'], 'one row down', lineDown),
		scrolls('line-up', ['up', 'k'], 'one row up', lineUp),
		scrolls('first', ['g', 'home'], 'to the first row', toFirst),
		scrolls('last', ['G', 'end'], 'to the last row', toLast),
		inMenu(`${screen}.back`, ['esc'], 'back one step; from the first one, leave', {
			hint: 'back',
			words: ['go back'],
			where: [...typing, ...choosing],
			run: back,
		}),
		detailsAction(form, 'details', state => failureIn(state[screen].data)),
		...alwaysActions(form),
	];
}
