import {expect, test} from 'vitest';
import {buildSuccessAnswer} from '../../../source/simulator/http/answer.ts';
import {createRouteTable, type Route} from '../../../source/simulator/http/route.ts';

const createRoute = (method: Route['method'], path: string): Route => ({
	method,
	path,
	answer: () => buildSuccessAnswer(null),
});

const findRoute = createRouteTable([
	createRoute('GET', '/things'),
	createRoute('GET', '/things/special'),
	createRoute('GET', '/things/:thing'),
	createRoute('DELETE', '/things/:thing'),
	createRoute('GET', '/things/:thing/values/*key'),
]);

test.each([
	['/things', '/things', {}],
	['/things/special', '/things/special', {}],
	['/things/a%2Fb', '/things/:thing', {thing: 'a%2Fb'}],
	['/things/a/values/k', '/things/:thing/values/*key', {thing: 'a', key: 'k'}],
	['/things/a/values/', '/things/:thing/values/*key', {thing: 'a', key: ''}],
])('GET %s is answered by %s', (path, expected, parameters) => {
	expect(findRoute('GET', path)).toMatchObject({kind: 'route', route: {path: expected}, parameters});
});

test.each([
	'/',
	'/things/',
	'/things/a/values',
	'/things//values/k',
	'/things/a/values/k/more',
	'/Things',
])('no route answers %s', path => {
	expect(findRoute('GET', path)).toEqual({kind: 'unknown'});
});

test('a known path with another method gives the allowed methods', () => {
	expect(findRoute('PUT', '/things/a')).toEqual({kind: 'other-method', allowed: ['GET', 'DELETE']});
});
