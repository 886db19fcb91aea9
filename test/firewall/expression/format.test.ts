import {describe, expect, it} from 'vitest';
import {formatExpression} from '../../../source/firewall/expression/expressions.ts';

describe('the formatted expression', () => {
	it.each([
		['http.host=="a"&&!ssl', 'http.host eq "a" and not ssl'],
		['( ssl||ssl )^^ssl', '(ssl or ssl) xor ssl'],
		['http.host in {  "a"\n"b" }', 'http.host in {"a" "b"}'],
		['http.host ~ "a"', 'http.host matches "a"'],
		['cf.edge.server_port & 010', 'cf.edge.server_port bitwise_and 010'],
		['any( http.request.headers[ "x" ][ * ]=="a" )', 'any(http.request.headers["x"][*] eq "a")'],
		['concat( http.host ,r#"/"# )!="b"', 'concat(http.host, r#"/"#) ne "b"'],
		['ip.src in $blocked', 'ip.src in $blocked'],
		['((ssl))', '((ssl))'],
		[' true ', 'true'],
	])('%s', (text, form) => {
		expect(formatExpression(text)).toBe(form);
		expect(formatExpression(form)).toBe(form);
	});

	it('keeps the content of strings', () => {
		expect(formatExpression('http.host  eq  "a  &&\n b"')).toBe('http.host eq "a  &&\n b"');
	});

	it('does not exist for text that cannot be parsed', () => {
		expect(formatExpression('http.host eq')).toBeUndefined();
		expect(formatExpression('ssl and htp.host')).toBeUndefined();
		expect(formatExpression('')).toBeUndefined();
	});
});
