import {openKeys} from '../keys/actions.ts';
import {jumpsOf, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readNamespaces, readNamespacesAside} from './actions.ts';
import {visibleNamespaces} from './slice.ts';

export const namespacesScreen: ScreenDefinition = {
	group: 'Namespaces',
	path: (_before, {namespaces}) => ['ledge', namespaces.where === 'local' ? 'local data' : 'namespaces'],
	actsOn: (_before, {namespaces}) => ({isLocal: namespaces.where === 'local'}),
	jumps: ({namespaces}, sought) =>
		jumpsOf(
			'namespace',
			namespaces.rows.filter(({id}) => id !== undefined),
			({title}) => title,
			sought,
			(app, row) => {
				app.state().cancelReads();
				app.state().go('namespaces');
				openKeys(app, row);
			},
		),
	readJumps: readNamespacesAside,
	reload: app => readNamespaces(app, app.state().namespaces.where, true),
	move: (state, by) => state.moveInNamespaces(by),
	filter: {
		text: ({namespaces}) => namespaces.filter,
		narrow: (state, text) => state.filterNamespaces(text),
		counts: ({namespaces}) => shownOf(visibleNamespaces(namespaces), namespaces.rows),
	},
};
