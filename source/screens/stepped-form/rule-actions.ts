import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {actionsOf, belongingTo} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formOf} from '../shell/form-actions.ts';
import {curlOf} from '../write-flow/curl.ts';
import {readCustomRules, readFirewall} from '../zones/actions.ts';
import {formActions} from './actions.ts';
import {type AnyRuleKind, findObstacle, type RuleForm, type RuleKind, type RuleScreen} from './rule-form.ts';
import {reviewRows} from './rule-review.ts';
import type {FormEnding} from './state.ts';

/** Opens the form of a rule; a draft of the same is offered first. */
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
		// A form that is still open may be of another zone: that becomes the one in front.
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

/** Which of its parts a form shows. */
function partOf(form: RuleForm | undefined): Part | undefined {
	if (form?.phase.name !== 'asking') return form?.phase.name;
	if (form.step === 'expression' && form.filter) return 'filter';
	return form.step === 'action' && form.choosing !== undefined ? 'choices' : form.step;
}

const {marks} = themeOf('none', true);

type Reviewed = Has<RuleScreen | 'connection'> & Has<'navigation', 'viewport'>;

/** How far the review can be scrolled, and how far it has to be until the requests were in sight. */
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
	// The last row in sight counts the rows that follow, unless it is the end.
	const shown = requestEnd === rows.length ? room : room - 1;
	return {last, room, requests: last === 0 ? 0 : Math.max(0, requestEnd - shown)};
}

/** The keys of the form of a rule, with `more` of one kind. Where text is typed, letters are text. */
export function ruleFormActions(kind: AnyRuleKind, more: readonly Action[] = []): readonly Action[] {
	const {screen, group, noun, read} = kind;
	const form = formOf(screen, group, noun);
	const isAt = belongingTo((state: Has<RuleScreen>) => partOf(read(state)));
	const action = actionsOf(group, form.choosing);

	/** What is put on the clipboard: the command to continue, or the requests as `curl` lines. */
	function copied(state: Has<RuleScreen | 'connection'>): string | undefined {
		const current = read(state);
		if (current?.phase.name === 'ended') return kind.command?.(current);
		if (current?.step !== 'review') return undefined;
		return current.requests?.map(request => curlOf(request, state.connection.data)).join('\n');
	}

	const nextLine = action(`${screen}.next-line`, ['tab'], 'next line', {
		where: form.typing,
		hint: 'next line',
		isHere: isAt('about'),
		run: ({state}) => state()[screen].nextLine(),
	});
	const choosing = [
		action(`${screen}.on`, ['enter'], 'next step, with what was chosen', {
			hint: 'next',
			isHere: isAt('filter', 'choices'),
			run: ({state}) => state()[screen].nextStep(),
		}),
		action(`${screen}.toggle`, ['space', 'x'], 'select or unselect what is under the cursor', {
			hint: 'choose',
			isHere: isAt('choices'),
			run: ({state}) => state()[screen].toggleChoice(),
		}),
		action(`${screen}.choice-down`, ['down', 'j'], 'one row down', {
			isHere: isAt('choices'),
			run: ({state}) => state()[screen].moveInChoices(1),
		}),
		action(`${screen}.choice-up`, ['up', 'k'], 'one row up', {
			isHere: isAt('choices'),
			run: ({state}) => state()[screen].moveInChoices(-1),
		}),
	];

	return formActions({
		form,
		of: state => state[screen].form,
		partOf: state => partOf(read(state)),
		last: 'review',
		extent: state => reviewExtent(kind, state),
		next: state => state[screen].nextStep(),
		type: (state, key) => state[screen].type(key),
		back: state => state[screen].previousStep(),
		copied,
		obstacle(state) {
			const current = read(state);
			return current && findObstacle(kind, current);
		},
		own: [
			...(kind.order === undefined ? [] : [nextLine]),
			action(`${screen}.send`, ['enter'], 'send what the review shows', {
				hint: 'send it',
				destroys: true,
				isHere: isAt('review'),
				run: ({state}) => void state()[screen].send(),
			}),
			...more,
			...(kind.chooser ? choosing : []),
		],
	});
}
