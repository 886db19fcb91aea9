import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {watchForStandstill} from '../../../source/commands/shell/standstill.ts';

test('what stands still before its end is told, once', () => {
	const process = new EventEmitter();
	const told: string[] = [];
	using _watch = watchForStandstill(process, ({code}) => told.push(code));
	process.emit('beforeExit');
	process.emit('beforeExit');
	expect(told).toEqual(['internal']);
});

test('what has come to its end is left alone', () => {
	const process = new EventEmitter();
	const told: string[] = [];
	{
		using _watch = watchForStandstill(process, ({code}) => told.push(code));
	}
	process.emit('beforeExit');
	expect(told).toEqual([]);
});
