-- Asks paylink-auth about a call, and sets what it says of the caller: see haproxy-forward-auth.cfg.
local CHECK = 'http://127.0.0.1:3000/api/v1/auth/check'
local ASKED_BY = { 'authorization', 'x-currency', 'x-request-id' }
local SAID = { 'x-user-id', 'x-user-role', 'x-api-key-id', 'x-currency', 'x-request-id' }
local HANDED_ON = { 'content-type', 'www-authenticate', 'cache-control', 'x-request-id' }
local UNAVAILABLE = '{"error":{"message":"The service cannot be reached. Try again shortly.","code":"UNAVAILABLE"}}'

local function refuse(txn, status, headers, body)
  local reply = txn:reply({ status = status, body = body })
  for name, value in pairs(headers) do reply:add_header(name, value) end
  txn:done(reply)
end

core.register_action('paylink_auth', { 'http-req' }, function(txn)
  local given = txn.http:req_get_headers()
  local question = { ['x-forwarded-for'] = { txn.f:src() } }
  -- Each value as it came: of two tokens paylink-auth takes none.
  for _, name in ipairs(ASKED_BY) do
    for _, value in pairs(given[name] or {}) do
      question[name] = question[name] or {}
      table.insert(question[name], value)
    end
  end

  local answer = core.httpclient():get({ url = CHECK, headers = question, timeout = 5000 })
  local function said(name) return answer.headers and answer.headers[name] and answer.headers[name][0] end

  if answer.status == 200 and said('x-user-id') then
    for _, name in ipairs(SAID) do
      txn.http:req_del_header(name)
      if said(name) then txn.http:req_add_header(name, said(name)) end
    end
  elseif answer.status == 400 or answer.status == 401 then
    local headers = {}
    for _, name in ipairs(HANDED_ON) do headers[name] = said(name) end
    refuse(txn, answer.status, headers, answer.body)
  else
    refuse(txn, 503, { ['content-type'] = 'application/json', ['cache-control'] = 'no-store', ['retry-after'] = '1' }, UNAVAILABLE)
  end
end)
