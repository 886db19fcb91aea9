import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {notChangeable} from '../custom-rules/changes.ts';
import {customRuleUnderCursor} from '../custom-rules/state.ts';
import {actionsOf, belongingTo, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formOf} from '../shell/form-actions.ts';
import {formActions} from '../stepped-form/actions.ts';
import {curlOf} from '../stepped-form/curl.ts';
import {readCustomRules} from '../zones/actions.ts';
import {customDraftKey} from './form.ts';
import {customReviewRows} from './review.ts';
import type {CustomPurpose} from './state.ts';
import {obstacleOf} from './steps.ts';

/** Opens the form; a draft of the same is offered first. */
function openCustomRule(app: App, purpose: CustomPurpose): void {
	const customRule = app.state().customRule.data;
	const customRules = app.state().customRules.data;
	const offerDraftsOf = app.state().drafts.offerAllOf;
	if (!customRules || (customRule && customRule.phase.name !== 'asking')) {
		open(app, purpose);
		return;
	}
	const about = {kind: 'custom rule', zone: customRules.zone.id, key: customDraftKey(purpose)};
	offerDraftsOf(about, () => open(app, purpose));
}

function open(app: App, purpose: CustomPurpose): void {
	const {state} = app;
	state().customRule.begin(purpose);
	const customRule = state().customRule.data;
	const customRules = state().customRules.data;
	const message = state().messages.latest;
	if (!customRule) return;
	// A form that is still open may be of another zone: that becomes the one in front.
	if (customRules?.zone.id !== customRule.zone.id) {
		state().customRules.open(customRule.zone);
		readCustomRules(app);
		if (message) state().messages.warn(message.text);
	}
	state().navigation.go('customRule');
}

type Part = 'expression' | 'about' | 'action' | 'skips' | 'review' | 'sending' | 'ended';

/** Which of its parts the form shows. */
function partOf({customRule: {data: form}}: Has<'customRule'>): Part | undefined {
	if (!form) return undefined;
	if (form.phase.name !== 'asking') return form.phase.name;
	return form.step === 'action' && form.skip !== undefined ? 'skips' : form.step;
}

const isAt = belongingTo(partOf);

const {marks} = themeOf('none', true);

/** How far the review can be scrolled. */
function extent({
	customRule: {data: form},
	connection: {data: connection},
	navigation: {viewport},
}: Has<'customRule' | 'connection'> & Has<'navigation', 'viewport'>): {last: number; room: number} {
	const height = bodyRows(viewport.rows);
	const room = height - (height >= 14 ? 3 : 2);
	if (!form) return {last: 0, room};
	const {length} = customReviewRows(form, connection, viewport.columns, marks);
	return {last: Math.max(0, length - room), room};
}

/** The requests as `curl` lines. */
function copied({
	customRule: {data: form},
	connection: {data: connection},
}: Has<'customRule' | 'connection'>): string | undefined {
	return form?.step === 'review' && form.phase.name === 'asking'
		? form.requests?.map(request => curlOf(request, connection)).join('\n')
		: undefined;
}

const form = formOf('customRule', 'Custom rule', 'custom rule');
const action = actionsOf(form.group, form.choosing);

const own: readonly Action[] = [
	action('customRule.next-line', ['tab'], 'next line', {
		where: form.typing,
		hint: 'next line',
		isHere: isAt('about'),
		run: ({state}) => state().customRule.nextLine(),
	}),
	action('customRule.send', ['enter'], 'send what the review shows', {
		hint: 'send it',
		destroys: true,
		isHere: isAt('review'),
		run: ({state}) => void state().customRule.send(),
	}),
	action('customRule.on', ['enter'], 'next step, with what was chosen', {
		hint: 'next',
		isHere: isAt('skips'),
		run: ({state}) => state().customRule.nextStep(),
	}),
	action('customRule.skip', ['space', 'x'], 'choose what is skipped, or no longer', {
		hint: 'choose',
		isHere: isAt('skips'),
		run: ({state}) => state().customRule.toggleSkip(),
	}),
	action('customRule.skip-down', ['down', 'j'], 'one row down', {
		isHere: isAt('skips'),
		run: ({state}) => state().customRule.moveInSkips(1),
	}),
	action('customRule.skip-up', ['up', 'k'], 'one row up', {
		isHere: isAt('skips'),
		run: ({state}) => state().customRule.moveInSkips(-1),
	}),
];

const listed = actionsOf('Custom rules', ['customRules']);
const isListed = ({customRules: {data: customRules}}: Has<'customRules'>): boolean =>
	customRules?.moving === undefined;
const ruleHere = ({customRules: {data: customRules}}: Has<'customRules'>) =>
	customRuleUnderCursor(customRules);

/** What the list of custom rules opens the form with. */
const opening: readonly Action[] = [
	listed('custom.new', ['n'], 'make a custom rule', {
		hint: 'new',
		words: ['new rule', 'add rule', 'create rule'],
		isHere: isListed,
		unavailable: notChangeable,
		run: app => openCustomRule(app, {kind: 'new'}),
	}),
	listed('custom.edit', ['e'], 'change the custom rule under the cursor', {
		hint: 'edit',
		words: ['edit', 'modify', 'rename'],
		isHere: isListed,
		...withFound(
			ruleHere,
			'there is no rule here',
			(app, rule) => openCustomRule(app, {kind: 'change', rule}),
			notChangeable,
		),
	}),
	listed('custom.copy-rule', ['D'], 'make a custom rule like the one under the cursor', {
		words: ['duplicate', 'clone', 'copy rule'],
		isHere: isListed,
		...withFound(
			ruleHere,
			'there is no rule here',
			(app, rule) => openCustomRule(app, {kind: 'new', copyOf: rule}),
			notChangeable,
		),
	}),
];

/** The keys of the form of a custom rule. Where text is typed, letters are text. */
export const customRuleActions: readonly Action[] = [
	...opening,
	...formActions({
		form,
		of: state => state.customRule.form,
		partOf,
		last: 'review',
		extent,
		next: state => state.customRule.nextStep(),
		type: (state, key) => state.customRule.type(key),
		back: state => state.customRule.previousStep(),
		copied,
		obstacle: ({customRule: {data: customRule}}) => customRule && obstacleOf(customRule),
		own,
	}),
];
