import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {actionsOf, belongingTo} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formOf} from '../shell/form-actions.ts';
import {readCustomRules, readFirewall} from '../zones/actions.ts';
import {formActions} from './actions.ts';
import {curlOf} from './curl.ts';
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

/** The keys of the form of a rule. Where text is typed, letters are text. */
export function ruleFormActions(kind: AnyRuleKind): readonly Action[] {
	const {screen, group, noun, read} = kind;
	const form = formOf(screen, group, noun);
	const isAt = belongingTo((state: Has<RuleScreen>) => partOf(read(state)));
	const action = actionsOf(group, form.choosing);

	/** How far the review can be scrolled. */
	function extent(state: Has<RuleScreen | 'connection'> & Has<'navigation', 'viewport'>) {
		const {rows, columns} = state.navigation.viewport;
		const height = bodyRows(rows);
		const room = height - (height >= 14 ? 3 : 2);
		const current = read(state);
		const length = current ? reviewRows(kind, current, state.connection.data, columns, marks).length : 0;
		return {last: Math.max(0, length - room), room};
	}

	/** What is put on the clipboard: the command to continue, or the requests as `curl` lines. */
	function copied(state: Has<RuleScreen | 'connection'>): string | undefined {
		const current = read(state);
		if (current?.phase.name === 'ended') return kind.command?.(current);
		if (current?.step !== 'review') return undefined;
		return current.requests?.map(request => curlOf(request, state.connection.data)).join('\n');
	}

	return formActions({
		form,
		of: state => state[screen].form,
		partOf: state => partOf(read(state)),
		last: 'review',
		extent,
		next: state => state[screen].nextStep(),
		type: (state, key) => state[screen].type(key),
		back: state => state[screen].previousStep(),
		copied,
		obstacle(state) {
			const current = read(state);
			return current && findObstacle(kind, current);
		},
		own: [
			action(`${screen}.next-line`, ['tab'], 'next line', {
				where: form.typing,
				hint: 'next line',
				isHere: isAt('about'),
				run: ({state}) => state()[screen].nextLine(),
			}),
			action(`${screen}.send`, ['enter'], 'send what the review shows', {
				hint: 'send it',
				destroys: true,
				isHere: isAt('review'),
				run: ({state}) => void state()[screen].send(),
			}),
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
		],
	});
}
