import {getBodyRows} from '../../components/layout.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {createActionFactory, withClipboardCopy} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {handleTypedEnter} from '../shell/form-actions.ts';
import {openHelp, suspend} from '../shell/global-actions.ts';
import {quit} from '../shell/leaving.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {commonTextKeys} from '../shell/text-keys.ts';
import {countListRows} from './layout.ts';
import {getCurrentCatalogueRule} from './state.ts';

const action = createActionFactory('Managed rules', ['catalogue']);

const noRuleReason = 'no rule selected';
const findCatalogueRule = ({catalogue: {data: catalogue}}: StateWith<'catalogue'>) =>
	getCurrentCatalogueRule(catalogue);
const getPickMode = ({catalogue: {data: catalogue}}: StateWith<'catalogue'>) =>
	catalogue?.request.pickMode ?? 'nothing';
const countPageRows = ({navigation: {viewport}}: StateWith<'navigation', 'viewport'>): number =>
	Math.max(1, countListRows(viewport, getBodyRows(viewport.rows)) - 1);

const createMove = (
	id: string,
	keys: Action['keys'],
	title: string,
	getDistance: (state: StateWith<'navigation', 'viewport'>) => number,
): Action =>
	action(`catalogue.${id}`, keys, title, {
		isMove: true,
		run: ({state}) => state().catalogue.move(getDistance(state())),
	});

/** The actions of the browser of managed rules, where letters go to the search field. */
export const catalogueActions: readonly Action[] = [
	action('catalogue.pick', ['enter'], 'pick the rule, or all selected rules', {
		hint: 'pick',
		isActive: state => getPickMode(state) !== 'nothing',
		run(app, key) {
			const {pick, type} = app.state().catalogue;
			handleTypedEnter(app, key, pick, () => void type({...key, name: 'space', text: ' '}));
		},
	}),
	action('catalogue.mark', ['ctrl-t', 'insert'], 'select or deselect the rule', {
		hint: 'select',
		searchTerms: ['select', 'mark'],
		isActive: state => getPickMode(state) === 'several',
		getUnavailableReason: state => (findCatalogueRule(state) ? undefined : noRuleReason),
		run: ({state}) => state().catalogue.toggleMark(),
	}),
	action('catalogue.mark-all', ['alt-a'], 'select all shown rules, or deselect them', {
		hint: 'all shown',
		searchTerms: ['select all', 'mark all'],
		isActive: state => getPickMode(state) === 'several',
		getUnavailableReason: state => (findCatalogueRule(state) ? undefined : noRuleReason),
		run: ({state}) => state().catalogue.toggleShownMarks(),
	}),
	action('catalogue.next', ['tab'], 'search only the next ruleset, or all', {
		hint: 'next ruleset',
		searchTerms: ['narrow', 'filter'],
		run: ({state}) => state().catalogue.switchScope(1),
	}),
	action('catalogue.before', ['shift-tab'], 'search only the previous ruleset, or all', {
		run: ({state}) => state().catalogue.switchScope(-1),
	}),
	createMove('down', ['down', 'ctrl-n'], 'one row down', () => 1),
	createMove('up', ['up', 'ctrl-p'], 'one row up', () => -1),
	createMove('page-down', ['pagedown'], 'one page down', countPageRows),
	createMove('page-up', ['pageup'], 'one page up', state => -countPageRows(state)),
	createMove('first', ['ctrl-home'], 'go to the first row', () => Number.NEGATIVE_INFINITY),
	createMove('last', ['ctrl-end'], 'go to the last row', () => Number.POSITIVE_INFINITY),
	action('catalogue.copy', ['ctrl-o'], 'copy the rule id', {
		hint: 'copy id',
		...withClipboardCopy(state => findCatalogueRule(state)?.id, noRuleReason),
	}),
	action('catalogue.leave', ['esc'], 'go back without picking a rule', {
		hint: 'back',
		run({state}) {
			if (state().messages.latest) state().messages.clear();
			const request = state().catalogue.data?.request;
			state().catalogue.leave();
			request?.onLeave?.();
		},
	}),
	action('catalogue.suspend', ['ctrl-z'], 'suspend ledge (fg brings it back)', {run: suspend}),
	action('catalogue.quit', ['ctrl-c'], 'quit', {run: quit}),
	action('catalogue.help', ['f1', 'ctrl-g'], 'show the shortcuts', {hint: 'help', run: openHelp}),
];

export const catalogueScreen: ScreenDefinition = {
	group: 'Managed rules',
	label: 'the managed rules',
	buildPath: parentPath => [...parentPath, 'managed rules'],
	selection: {
		isActive: state => getPickMode(state) === 'several',
		getUnavailableReason: state => (findCatalogueRule(state) ? undefined : noRuleReason),
		countSelected: () => 0,
		extend: (state, distance) => state.catalogue.extendMarks(distance),
		selectRange: state => state.catalogue.markRange(),
	},
	textInput: {
		isTyping: () => true,
		handleKey: (state, key) => state.catalogue.type(key),
		listKeys: () => commonTextKeys,
	},
};
