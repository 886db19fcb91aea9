import {openKeys} from '../keys/actions.ts';
import {jumpsOf, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readNamespaces, readNamespacesAside} from './actions.ts';
import {visibleNamespaces} from './slice.ts';

export const namespacesScreen: ScreenDefinition = {
	group: 'Namespaces',
	path: (_before, {namespaces: {data: namespaces}}) => [
		'ledge',
		namespaces.where === 'local' ? 'local data' : 'namespaces',
	],
	actsOn: (_before, {namespaces: {data: namespaces}}) => ({isLocal: namespaces.where === 'local'}),
	jumps: ({namespaces: {data: namespaces}}, sought) =>
		jumpsOf(
			'namespace',
			namespaces.rows.filter(({id}) => id !== undefined),
			({title}) => title,
			sought,
			(app, row) => {
				app.state().work.cancelReads();
				app.state().navigation.go('namespaces');
				openKeys(app, row);
			},
		),
	readJumps: readNamespacesAside,
	reload: app => readNamespaces(app, app.state().namespaces.data.where, true),
	move: (state, by) => state.namespaces.move(by),
	filter: {
		text: ({namespaces: {data: namespaces}}) => namespaces.filter,
		narrow: (state, text) => state.namespaces.filter(text),
		counts: ({namespaces: {data: namespaces}}) => shownOf(visibleNamespaces(namespaces), namespaces.rows),
	},
};
