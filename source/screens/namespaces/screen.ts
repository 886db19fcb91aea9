import {openKeys} from '../keys/actions.ts';
import {listScreen} from '../list/screen.ts';
import {jumpsOf, type ScreenDefinition} from '../shell/screen.ts';
import {readNamespaces, readNamespacesAside} from './actions.ts';
import {namespaceList} from './slice.ts';

export const namespacesScreen: ScreenDefinition = listScreen(namespaceList, {
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
});
