import {getBodyRows} from '../../components/layout.ts';
import {getTheme} from '../../components/theme.ts';
import {createKey} from '../../keyboard/key.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {createActionFactory, createPartPredicate, withClipboardCopy} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {
	createDetailsAction,
	createFormActions,
	createStopAction,
	defineForm,
	getFormFailure,
	goBackOrLeave,
	handleTypedEnter,
} from '../shell/form-actions.ts';
import {forwardToMenu, menuKeys} from '../shell/menu.ts';
import {createScrollActions} from '../shell/scrolling.ts';
import {createRequestActions} from '../write-flow/actions.ts';
import {readFirewall} from '../zones/actions.ts';
import {layOutEnding} from './ending-layout.ts';
import {type AnyRuleKind, findFormObstacle, isTouched, type RuleForm, type RuleKind} from './rule-form.ts';
import {buildRuleReviewRows} from './rule-review.ts';
import type {FormEnding, RuleScreen} from './state.ts';

/** Opens the form of a rule: the same one that was left open for another area, or a new one after offering its drafts. */
export function openRuleForm<Purpose>(
	app: App,
	kind: Pick<
		RuleKind<RuleForm<Purpose>, Purpose, FormEnding>,
		'screen' | 'list' | 'draftKind' | 'getDraftKey' | 'getForm'
	>,
	purpose: Purpose,
): void {
	const {state} = app;
	const {screen, list} = kind;
	const zone = state()[list].data?.zone;
	const currentForm = kind.getForm(state());
	function open() {
		(state()[screen].begin as (purpose: Purpose) => void)(purpose);
		const form = kind.getForm(state());
		const message = state().messages.latest;
		if (!form) return;
		// A form that is still open may belong to another zone, which is then shown.
		if (openListOfForm(app, kind, form) && message) state().messages.warn(message.text);
		state().navigation.go(screen);
	}
	const isKept =
		currentForm?.phase.name === 'asking' &&
		currentForm.zone.id === zone?.id &&
		isTouched(currentForm) &&
		JSON.stringify(currentForm.purpose) === JSON.stringify(purpose);
	if (isKept) state().navigation.go(screen);
	else if (!zone || (currentForm && currentForm.phase.name !== 'asking')) open();
	else state().drafts.offerAll({kind: kind.draftKind, zone: zone.id, key: kind.getDraftKey(purpose)}, open);
}

/** Opens and reads the list of a form's zone unless it is open; returns whether it did. */
function openListOfForm(
	app: App,
	{list}: Pick<AnyRuleKind, 'list'>,
	{zone}: Pick<RuleForm, 'zone'>,
): boolean {
	const {state} = app;
	if (state()[list].data?.zone.id === zone.id) return false;
	state()[list].open(zone);
	if (list === 'firewall') readFirewall(app);
	else
		void state().work.run(`loading the rules of ${zone.name}`, 'read', signal => state()[list].load(signal));
	return true;
}

/** Returns to the open form of a rule; esc leads from it to the list of its zone, if to no other screen. */
export function resumeRuleForm(app: App, kind: Pick<AnyRuleKind, 'screen' | 'list' | 'getForm'>): void {
	const {state} = app;
	const form = kind.getForm(state());
	if (!form) return;
	openListOfForm(app, kind, form);
	const {stack, go, openFromHome} = state().navigation;
	if (stack.includes(kind.screen) || stack.includes(kind.list)) go(kind.screen);
	else openFromHome(kind.list, kind.screen);
}

type FormPart = 'expression' | 'about' | 'filter' | 'action' | 'choices' | 'review' | 'sending' | 'ended';

/** Returns the visible part of a form. */
function getFormPart(form: RuleForm | undefined): FormPart | undefined {
	if (form?.phase.name !== 'asking') return form?.phase.name;
	if (form.step === 'expression' && form.filter) return 'filter';
	return form.step === 'action' && form.choiceCursor !== undefined ? 'choices' : form.step;
}

const {marks} = getTheme('none', true);

type ReviewState = StateWith<RuleScreen | 'connection'> & StateWith<'navigation', 'viewport'>;

/**
 * Measures the review in rows: maximum scroll offset, visible rows, and the offset that shows all requests.
 */
export function measureReview(
	kind: AnyRuleKind,
	state: ReviewState,
): {readonly lastTop: number; readonly visibleRows: number; readonly requestsTop: number} {
	const {rows: height, columns} = state.navigation.viewport;
	const body = getBodyRows(height);
	const visibleRows = body - (body >= 14 ? 3 : 2);
	const form = kind.getForm(state);
	if (!form) return {lastTop: 0, visibleRows, requestsTop: 0};
	const {rows, requestEnd} = buildRuleReviewRows(kind, form, state.connection.data, columns, marks);
	const lastTop = Math.max(0, rows.length - visibleRows);
	// The last visible row shows how many rows follow, unless it is the end.
	const requestRows = requestEnd === rows.length ? visibleRows : visibleRows - 1;
	return {lastTop, visibleRows, requestsTop: lastTop === 0 ? 0 : Math.max(0, requestEnd - requestRows)};
}

/** Measures the facts of the result in rows: maximum scroll offset, and visible rows. */
function measureEnding(
	kind: AnyRuleKind,
	state: ReviewState,
): {readonly lastTop: number; readonly visibleRows: number} {
	const form = kind.getForm(state);
	if (form?.phase.name !== 'ended') return {lastTop: 0, visibleRows: 0};
	const {ending} = form.phase;
	const {facts, factRows} = layOutEnding(
		kind.buildResultText(form, ending),
		marks.done,
		kind.listChoices(form, ending).length,
		state.navigation.viewport,
	);
	return {lastTop: Math.max(0, facts.length - factRows), visibleRows: factRows};
}

const choiceMoves = [
	['down', ['down', 'j'], 'one row down', 1],
	['up', ['up', 'k'], 'one row up', -1],
	['first', ['g', 'home'], 'go to the first row', Number.NEGATIVE_INFINITY],
	['last', ['G', 'end'], 'go to the last row', Number.POSITIVE_INFINITY],
] as const satisfies readonly (readonly [string, Action['keys'], string, number])[];

/** Builds the actions of a rule form, plus `extraActions` of one kind. Letters are text where text is typed. */
export function buildRuleFormActions(
	kind: AnyRuleKind,
	extraActions: readonly Action[] = [],
): readonly Action[] {
	const {screen, group, noun, phase, getForm} = kind;
	const formDefinition = defineForm(screen, group, noun);
	const {typingContexts, choosingContexts} = formDefinition;
	const isInPart = createPartPredicate((state: StateWith<RuleScreen>) => getFormPart(getForm(state)));
	const createTextAction = createActionFactory(group, typingContexts);
	const createMenuAction = createActionFactory(group, choosingContexts);
	const scrolling: Parameters<typeof createScrollActions>[1] = {
		getExtent: state => (isInPart('ended')(state) ? measureEnding : measureReview)(kind, state),
		getTop: state => state[screen].data?.top,
		scroll: (state, distance, lastTop) => state[screen].operations.scroll(distance, lastTop),
	};
	const createScrollAction = createScrollActions(
		{id: screen, group, where: choosingContexts, isActive: isInPart('review')},
		scrolling,
	);

	// The other keys that scroll move the cursor in the choices.
	const createResultScrollAction = createScrollActions(
		{id: `${screen}.result`, group, where: choosingContexts, isActive: isInPart('ended')},
		scrolling,
	);

	const goBack = (app: App): void => {
		const {goToPreviousStep, operations} = app.state()[screen];
		goBackOrLeave(app, {
			noun,
			goBack: goToPreviousStep,
			describeLoss: operations.describeLoss,
			leave: operations.leave,
			discard: operations.discard,
		});
	};

	const nextLineAction = createTextAction(`${screen}.next-line`, ['tab'], 'next line', {
		hint: 'next line',
		isActive: isInPart('about'),
		run: ({state}) => state()[screen].goToNextLine(),
	});
	const choosingActions = [
		createMenuAction(`${screen}.on`, ['enter'], 'next step, with the selection', {
			hint: 'next',
			isActive: isInPart('filter', 'choices'),
			run: ({state}) => state()[screen].goToNextStep(),
		}),
		createMenuAction(`${screen}.toggle`, ['space'], 'select or deselect the item under the cursor', {
			hint: 'select',
			isActive: isInPart('choices'),
			run: ({state}) => state()[screen].toggleChoice(),
		}),
		...choiceMoves.map(([id, keys, title, distance]) =>
			createMenuAction(`${screen}.choice-${id}`, keys, title, {
				isActive: isInPart('choices'),
				run: ({state}) => state()[screen].moveChoiceCursor(distance),
			}),
		),
	];

	return [
		createTextAction(`${screen}.take`, ['tab'], 'accept the completion or the suggested fix', {
			hint: 'complete',
			isActive: isInPart('expression'),
			run: ({state}) => state()[screen].operations.complete(),
		}),
		...(kind.orderLabel === undefined ? [] : [nextLineAction]),
		createTextAction(`${screen}.next`, ['enter'], 'next step', {
			hint: 'next',
			run(app, key) {
				const {goToNextStep, type} = app.state()[screen];
				handleTypedEnter(app, key, goToNextStep, () => void type(createKey('alt-enter', '')));
			},
		}),
		createTextAction(`${screen}.format`, ['ctrl-f'], 'format the expression', {
			hint: 'format',
			isActive: isInPart('expression'),
			run: ({state}) => state()[screen].operations.format(),
		}),
		createTextAction(`${screen}.problem`, ['ctrl-t'], 'go to the next problem in the expression', {
			isActive: isInPart('expression'),
			run: ({state}) => state()[screen].operations.toNextProblem(),
		}),
		createTextAction(
			`${screen}.matches`,
			['ctrl-v'],
			'count the security events that the expression matches',
			{
				hint: 'events',
				searchTerms: ['would it match', 'try', 'test', 'recent requests', 'matched requests'],
				where: [...typingContexts, ...choosingContexts],
				isActive: isInPart('expression', 'filter'),
				run: ({state}) => void state()[screen].countMatches(),
			},
		),
		createMenuAction(`${screen}.choose`, menuKeys, 'move through the choices and choose one', {
			effect: 'prepares a write',
			hint: 'choose',
			isActive: isInPart('action', 'ended'),
			run: forwardToMenu,
		}),
		createMenuAction(`${screen}.send`, ['y'], 'send what the review shows', {
			effect: 'writes',
			hint: 'send',
			getHintPlace(state) {
				const openForm = getForm(state);
				return openForm && findFormObstacle(kind, openForm) !== undefined ? 'none' : undefined;
			},
			isDestructive: true,
			isActive: isInPart('review'),
			run: ({state}) => void state()[screen].send(),
		}),
		...extraActions,
		...(kind.chooser ? choosingActions : []),
		...createRequestActions({
			id: screen,
			group,
			where: choosingContexts,
			isActive: isInPart('review'),
			listRequests: state => getForm(state)?.requests ?? [],
			getObstacle(state) {
				const openForm = getForm(state);
				return openForm && findFormObstacle(kind, openForm);
			},
			toggleView: ({state}) => state()[screen].operations.toggleView(),
			...(phase && {
				findCheckableChange(state: StateWith<RuleScreen>) {
					const openForm = getForm(state);
					const [request] = openForm?.requests ?? [];
					return openForm && request && {zoneId: openForm.zone.id, phase, request};
				},
			}),
		}),
		createMenuAction(`${screen}.copy`, ['y'], 'copy the command to continue', {
			hint: 'copy',
			isActive: isInPart('ended'),
			...withClipboardCopy(state => {
				const openForm = getForm(state);
				return openForm && kind.getCommand?.(openForm);
			}, 'nothing to copy here'),
		}),
		createStopAction(formDefinition, isInPart('sending'), state => state[screen].operations.cancel()),
		createScrollAction('page-down', ['space', 'pagedown'], 'one page down', 'page down', 'more'),
		createScrollAction('page-up', ['pageup'], 'one page up', 'page up'),
		createScrollAction('line-down', ['down', 'j'], 'one row down', 'line down'),
		createScrollAction('line-up', ['up', 'k'], 'one row up', 'line up'),
		createScrollAction('first', ['g', 'home'], 'go to the first row', 'first'),
		createScrollAction('last', ['G', 'end'], 'go to the last row', 'last'),
		createResultScrollAction('page-down', ['space', 'pagedown'], 'one page down', 'page down', 'more'),
		createResultScrollAction('page-up', ['pageup'], 'one page up', 'page up'),
		createMenuAction(`${screen}.back`, ['esc'], 'go back one step; close from the first step', {
			hint: 'back',
			searchTerms: ['go back'],
			where: [...typingContexts, ...choosingContexts],
			run: goBack,
		}),
		createDetailsAction(formDefinition, 'details', state => getFormFailure(state[screen].data)),
		...createFormActions(formDefinition),
	];
}
